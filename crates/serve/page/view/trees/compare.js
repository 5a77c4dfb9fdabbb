/** Two trees, or other players with rules, beside each other: figures, pictures, and positions on which they differ. */
import { about, latest } from "/page/api.js";
import { href, linkTo } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { fill, h } from "/page/dom.js";
import { count, sideToMove } from "/page/game.js";
import { notices } from "/page/notice.js";
import { pager, range, whole } from "/page/pages.js";
import { table } from "/page/table.js";
import { picturePart } from "./picture.js";
import { percent } from "./words.js";

/** The number of boards on a page. */
const PAGE = 12;

/** @param {{go: function, signal: AbortSignal}} options */
export function comparePart({ go, signal }) {
  const ask = latest(signal);
  const notice = notices({ again: () => draw(state, true) });
  const figures = h("section", { class: "panel", "aria-label": "Both players in figures" });
  const boards = h("section", { class: "panel", "aria-label": "Differences" });
  const slots = ["", "2"].map((suffix) => {
    const heading = h("h2", {});
    const place = h("div", { class: "stack" });
    const element = h("div", { class: "stack" }, heading, place);
    return { suffix, heading, place, element, part: null };
  });
  const element = h(
    "div",
    { class: "stack" },
    figures,
    h(
      "div",
      { class: "tree-pair" },
      slots.map((slot) => slot.element),
    ),
    boards,
  );
  let state = null;
  let known = null;
  let key = null;
  const titleOf = (name) => known?.players.find((one) => one.name === name)?.title ?? name;
  return {
    element,
    draw,
    leave() {
      for (const { part } of slots) part?.leave();
    },
  };

  async function draw(next, afresh = false) {
    // The keys of the second picture end in 2.
    state = { ...next, player2: next.with };
    const mine = state;
    known = await notice.run(() => about());
    if (!known || signal.aborted || state !== mine) return;
    await Promise.all([drawFigures(afresh), ...slots.map((slot) => drawPicture(slot, afresh))]);
  }

  async function drawFigures(afresh) {
    const { player, with: other, material } = state;
    const query = { player, with: other, material, offset: whole(state.differ), limit: PAGE };
    const next = JSON.stringify(query);
    if (next === key && !afresh) return;
    figures.setAttribute("aria-busy", "true");
    if (!figures.contains(notice.element)) fill(figures, notice.element);
    const answer = await notice.run((options) => ask("/api/compare", query, options));
    figures.removeAttribute("aria-busy");
    if (signal.aborted) return;
    if (!answer) {
      key = null;
      if (notice.failed) fill(boards);
      return;
    }
    key = next;
    fill(figures, notice.element, figureTable(answer));
    fill(boards, differences(answer));
  }

  async function drawPicture(slot, afresh) {
    const player = state[`player${slot.suffix}`];
    const listed = known.players.find((one) => one.name === player);
    fill(slot.heading, titleOf(player));
    const isTree = listed ? listed.tree : !/^(strategy|measure)(:|$)/.test(player);
    if (!isTree) {
      slot.part?.leave();
      slot.part = null;
      fill(
        slot.place,
        h(
          "p",
          { class: "panel" },
          `${listed?.strategy || /^strategy/.test(player) ? "A strategy is a list of rules" : "A measure is a list of terms"} and has no tree. `,
          h("a", { href: href({ player, with: null, tab: "rules" }, state) }, "Show its rules"),
        ),
      );
      return;
    }
    slot.part ??= picturePart({
      go,
      signal,
      suffix: slot.suffix,
      label: slot.suffix ? "The second tree" : "The first tree",
      onSize: () => {},
    });
    if (slot.place.firstChild !== slot.part.element) fill(slot.place, slot.part.element);
    await slot.part.draw(state, afresh);
  }

  function figureTable({ material, players }) {
    const per = (share) => (share === null ? "not defined" : percent(Math.round(share * 1e6), 1e6));
    const number = (value, none = "none") =>
      value === null || value === undefined ? none : value.toLocaleString("en");
    const lines = [
      ["Size", ({ size }) => size],
      ["Nodes", ({ nodes }) => number(nodes)],
      ["Longest path, in tests", ({ depth }) => number(depth)],
      [
        "Tests for a position, on average",
        ({ mean_tests: tests }) => (tests === null ? "none" : tests.toFixed(1)),
      ],
      ["Distances that are right", ({ accuracy }) => per(accuracy)],
      [
        "Positions won against every defence",
        ({ proof }) => `${number(proof.won)} of ${number(proof.winnable)} that can be won`,
      ],
      [
        "Longest game",
        ({ proof }) => (proof.longest_moves === null ? "none" : count(proof.longest_moves, "move")),
      ],
      [
        "Moves over the optimum, on average",
        ({ proof }) => (proof.mean_excess_moves === null ? "none" : proof.mean_excess_moves.toFixed(2)),
      ],
      ["Positions with an optimal move", ({ proof }) => per(proof.optimal_share)],
      [
        "Won within the rule of fifty moves",
        ({ won_within_rule: won, winnable_within_rule: winnable }) =>
          winnable === null ? number(won) : `${number(won)} of ${number(winnable)} that can be won so`,
      ],
      [
        "Rule of fifty moves",
        ({ proof }) =>
          !proof.won
            ? "no game is won"
            : proof.fifty_move_safe
              ? "never reached"
              : "reached in a won position",
      ],
    ];
    return [
      h("h2", {}, `Both in figures, in ${material}`),
      table({
        caption: "Figures of both",
        hideCaption: true,
        columns: ["Figure", ...players.map((one) => titleOf(one.player))],
        rows: lines.map(([name, value]) => [name, ...players.map(value)]),
        rowHeads: true,
      }),
      players.some((one) => one.accuracy === null) &&
        h("p", { class: "small" }, "What only ranks positions names no distance, so none can be right."),
    ];
  }

  function differences({ players, positions, found, better, offset, boards: some }) {
    const names = players.map((player) => player.player);
    const [one, other] = names.map(titleOf);
    const words = [
      `They move differently in ${found.toLocaleString("en")} of ${count(positions, "position")} with White to move, mirror images counted once.`,
      found > 0 &&
        ` In ${better[0].toLocaleString("en")} of these the better move is that of \u201c${one}\u201d, in ${better[1].toLocaleString("en")} that of \u201c${other}\u201d; in the others both moves are as good.`,
    ];
    return [
      h("h2", {}, "Positions on which they differ"),
      h("p", {}, words),
      found > 0 &&
        h(
          "p",
          { class: "small" },
          range({ offset, shown: some.length, found, word: "position" }),
          " The greatest difference comes first.",
        ),
      h(
        "ul",
        { class: "boards examples", "aria-label": "Positions on which they differ" },
        some.map((board, i) => differing(board, names, i)),
      ),
      pager({ offset, limit: PAGE, found, word: "positions", onGo: (to) => go({ differ: to || null }) }),
    ];
  }

  function differing({ fen, says, moves }, players, i) {
    const titles = players.map(titleOf);
    const which = () => h("span", { class: "unseen" }, ` (board ${i + 1})`);
    const shared = { fen, material: state.material };
    return h(
      "li",
      {},
      smallBoard(fen),
      h("p", { class: "example-words" }, `${sideToMove(fen)}, ${says}`),
      moves.map((move, at) =>
        h(
          "p",
          { class: "example-words" },
          `${titles[at]}: `,
          move ? h("b", {}, move.san) : "no move",
          move ? `, ${move.says}` : "",
        ),
      ),
      h(
        "p",
        { class: "example-links" },
        h("a", { href: linkTo({ view: "explore", ...shared }) }, "Explore", which()),
        players.map((player) =>
          h("a", { href: linkTo({ view: "why", ...shared, player }) }, `Why: ${titleOf(player)}`, which()),
        ),
      ),
    );
  }
}
