/**
 * Links that a teacher hands to a pupil. The task is in the address, in the teacher's own words; nothing is
 * stored. Keys: task (the words), hide (the answers wait until they are wanted), set (more positions, without
 * their counters, separated by semicolons).
 */
import { href } from "/page/address.js";
import { get } from "/page/api.js";
import { field } from "/page/choosers.js";
import { check, copyButton } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { notices } from "/page/notice.js";

/** An address stays short enough for every program that passes it on. */
export const LONGEST_TASK = 300;
const MOST_POSITIONS = 30;

/** True if other devices do not reach the address of the page. */
const isLocal = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** The men and the side to move of a FEN: enough for an endgame. */
const short = (fen) => fen.split(" ").slice(0, 2).join(" ");

/** The positions of a set. @param {Object<string, string>} state */
export const positionsOf = (state) => (state.set ? state.set.split(";").filter(Boolean) : []);

/**
 * @param {{heading: string, addressOf: function({task: string, hide: number|null, set: string|null,
 *   fen: string|null}): string, positions?: boolean, signal: AbortSignal}} options
 *   positions: true if positions can be added, and answers hidden
 * @returns {HTMLElement}
 */
export function sharePanel({ heading, addressOf, positions = false, signal }) {
  const notice = notices();
  const task = h("textarea", { rows: 2, maxlength: LONGEST_TASK });
  const more = h("textarea", { rows: 3, spellcheck: "false", class: "fen" });
  const said = h("p", { class: "small", role: "status" });
  const address = h("input", { type: "text", readonly: true, class: "fen" });
  const open = h("a", {}, "Open it");
  const made = h(
    "div",
    { class: "stack", hidden: true },
    field("The link", address),
    isLocal() &&
      h(
        "p",
        { class: "notice" },
        `It works on this machine only, since its address begins with ${location.host}. For other devices in the same `,
        "network, start the server with ",
        h("code", {}, "lucena serve --listen ADDRESS"),
        ", with the address of this machine in the network, and make the link there.",
      ),
    h(
      "div",
      { class: "row" },
      copyButton(() => address.value, "Copy the link"),
      open,
    ),
  );
  let hide = true;

  // What is made would no longer be what stands in the fields.
  const stale = () => (made.hidden = true);

  async function make() {
    const lines = more.value
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean);
    said.textContent = "";
    stale();
    if (lines.length > MOST_POSITIONS) {
      said.textContent = `A link holds at most ${MOST_POSITIONS} positions, and these are ${lines.length}.`;
      return;
    }
    const set = [];
    for (const [i, line] of lines.entries()) {
      const found = await notice.run(async (options) => {
        try {
          return await get("/api/game", { fen: line }, { ...options, signal });
        } catch (error) {
          if (error.message) error.message = `Line ${i + 1}: ${error.message}`;
          throw error;
        }
      });
      if (!found) return;
      set.push(short(found.fen));
    }
    address.value = new URL(
      addressOf({
        task: task.value.trim(),
        hide: positions && hide ? 1 : null,
        set: set.length ? set.join(";") : null,
        fen: set[0] ?? null,
      }),
      location.href,
    ).href;
    open.href = address.value;
    made.hidden = false;
    address.select();
  }

  task.addEventListener("input", stale);
  more.addEventListener("input", stale);
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, heading),
    h(
      "div",
      { class: "stack" },
      field(
        "Your words to the pupil",
        task,
        `At most ${LONGEST_TASK} characters. They stand in the link, which everybody who has it can read.`,
      ),
      positions &&
        field(
          "Several positions",
          more,
          "One position a line, as FEN. If the field is empty, the link opens the position on the board.",
        ),
      positions &&
        check("Hide the answers until the pupil asks for them", true, (yes) => {
          hide = yes;
          stale();
        }),
      notice.element,
      h("div", { class: "row" }, button("Make the link", make)),
      said,
      made,
    ),
  );
}

/** The parts of a view that has a teacher's words. */
const parts = new WeakMap();

/**
 * Shows the teacher's words below the heading of a view, and at its end the panel that makes such a link.
 * @param {HTMLElement} main the view @param {Object<string, string>} state @param {AbortSignal} signal
 * @param {{hasPanel: boolean}} options hasPanel: false where the view fits the window without the panel
 */
export function showTeacherWords(main, state, signal, { hasPanel }) {
  const part = parts.get(main) ?? { state, words: taskWords() };
  part.state = state;
  if (!parts.has(main)) {
    main.firstElementChild.after(part.words);
    const addressOf = ({ task }) => href({ task }, part.state);
    part.panel = sharePanel({ heading: "Hand this lesson to a pupil", addressOf, signal });
    main.append(part.panel);
    parts.set(main, part);
  }
  part.panel.hidden = !hasPanel;
  fillTask(part.words, state.task);
}

/** An empty box for a teacher's words. */
export const taskWords = () =>
  h("div", { class: "task panel", role: "note", "aria-label": "From your teacher", hidden: true });

/** @param {HTMLElement} box @param {string} [task] */
export function fillTask(box, task) {
  box.hidden = !task;
  fill(box, task && h("p", { class: "task-words" }, task.slice(0, LONGEST_TASK)));
}
