/**
 * A task as the pupil sees it: the teacher's words, the number of the position, and the answers when they are
 * wanted. Keys: task, hide and set as in share.js, nr (the number of the position, from 1), answers (they are
 * shown).
 */
import { linkTo } from "/page/address.js";
import { button, fill, h } from "/page/dom.js";
import { smallBoard } from "/page/board.js";
import { sideToMove, turnOf } from "/page/game.js";
import { LONGEST_TASK, positionsOf } from "/page/share.js";

/** The keys of a task, all cleared. */
export const NO_TASK = { task: null, hide: null, set: null, nr: null, answers: null };

/** True while the pupil has not asked for the answers. @param {Object<string, string>} state */
export const hidesAnswers = (state) => Boolean(state.hide) && !state.answers;

/**
 * @param {{go: function}} options
 * @returns {{element: HTMLElement, draw: function(Object<string, string>)}}
 */
export function taskPanel({ go }) {
  const element = h("section", { class: "panel task", "aria-label": "Task", hidden: true });

  function draw(state) {
    const set = positionsOf(state);
    element.hidden = !(state.task || set.length || state.hide);
    if (element.hidden) return;
    const nr = Math.min(Math.max(1, Math.floor(Number(state.nr)) || 1), Math.max(1, set.length));
    const fen = set[nr - 1] ?? state.fen;
    const clean = { moves: null, at: null, line: null, ply: null, answers: null };
    const to = (other) => go({ ...clean, nr: other, fen: set[other - 1] });
    const step = (text, other) =>
      button(text, () => set[other - 1] && to(other), {
        "aria-disabled": String(!set[other - 1]),
        "data-step": text,
      });
    const focused = element.contains(document.activeElement) ? document.activeElement.textContent : null;
    fill(
      element,
      h(
        "h2",
        {},
        "Your task",
        set.length > 1 && h("small", { class: "small", role: "status" }, ` Position ${nr} of ${set.length}`),
      ),
      state.task && h("p", { class: "task-words" }, state.task.slice(0, LONGEST_TASK)),
      worksheet(set.length ? set : [fen].filter(Boolean)),
      h(
        "div",
        { class: "row" },
        set.length > 1 && [step("Previous", nr - 1), step("Next", nr + 1)],
        state.moves && button("Begin again", () => go({ ...clean, fen })),
        fen &&
          h("a", { class: "button", href: linkTo({ view: "arena", fen, ...opponents(fen) }) }, "Play it out"),
        state.hide &&
          button(state.answers ? "Hide the answers" : "Show the answers", () =>
            go({ answers: state.answers ? null : 1 }, { replace: true }),
          ),
        button("Close the task", () => go(NO_TASK), { class: "quiet" }),
      ),
    );
    if (focused) [...element.querySelectorAll("button")].find((one) => one.textContent === focused)?.focus();
  }

  return { element, draw };
}

/** The boards on paper, with lines to write on. */
function worksheet(fens) {
  const board = (fen, i) =>
    h(
      "li",
      {},
      h("b", {}, `${i + 1}. ${sideToMove(fen)}`),
      smallBoard(fen, { label: `Position ${i + 1}` }),
      Array.from({ length: LINES }, () => h("span", { class: "blank" })),
    );
  return h("ol", { class: "worksheet", "aria-hidden": "true" }, fens.map(board));
}

/** The lines below a board on paper. */
const LINES = 3;

/** The pupil has the side to move. */
const opponents = (fen) =>
  turnOf(fen) === "white" ? { white: "human", black: "tablebase" } : { white: "tablebase", black: "human" };
