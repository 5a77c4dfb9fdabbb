/** The chosen node of a picture: its conditions, the true distances of its positions, and some of its positions. */
import { latest } from "/page/api.js";
import { linkTo } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { field, select } from "/page/choosers.js";
import { answerWords, distanceWords } from "/page/classes.js";
import { button, fill, h } from "/page/dom.js";
import { count, sideToMove } from "/page/game.js";
import { notices } from "/page/notice.js";
import { pager, range, whole } from "/page/pages.js";
import { swatch } from "/page/scale.js";
import { conditionList } from "./leaf.js";
import { errorWords, percent } from "./words.js";

/** The number of boards on a page. */
const PAGE = 6;

/**
 * @param {{signal: AbortSignal, change: function(Object, Object=), of: string}} options change sets the keys show and boards;
 *   of says which tree it is, if there are two
 */
export function nodePanel({ signal, change, of }) {
  const ask = latest(signal);
  const notice = notices({ again: () => shown && draw(...shown, true) });
  const body = h("div", { class: "stack" });
  const element = h(
    "aside",
    { class: "panel tree-chosen", "aria-label": `The chosen node${of}` },
    notice.element,
    body,
  );
  let key = null;
  let shown = null;
  clear();
  return { element, draw, clear };

  function clear() {
    key = null;
    ask.stop();
    notice.clear();
    element.classList.add("empty");
    fill(
      body,
      h("p", { class: "small" }, "Choose a node to see its positions and those that it answers wrongly."),
    );
  }

  async function draw(state, tree, afresh = false) {
    shown = [state, tree];
    const { chosen, wrong, show, boards } = state;
    const { player, material } = state.shown;
    if (!/^\d+$/.test(chosen ?? "")) return clear();
    element.classList.remove("empty");
    // The answers of a tree that only ranks are neither right nor wrong.
    const kind = show ?? (!tree.judged ? "all" : wrong === 0 ? "right" : "wrong");
    const query = {
      player,
      material,
      node: chosen,
      answered: kind === "wrong" || kind === "right" ? kind : null,
      class: ["wrong", "right", "all"].includes(kind) ? null : kind,
      offset: whole(boards),
      limit: PAGE,
    };
    const next = JSON.stringify([query, tree.root.node]);
    if (next === key && !afresh) return;
    element.setAttribute("aria-busy", "true");
    const answer = await notice.run((options) => ask("/api/node", query, options));
    element.removeAttribute("aria-busy");
    if (signal.aborted) return;
    if (!answer) {
      key = null;
      if (notice.failed) fill(body);
      return;
    }
    key = next;
    const held = body.contains(document.activeElement) ? document.activeElement.dataset.show : null;
    fill(body, content(answer, tree, kind, { player, material }));
    if (held) body.querySelector(`[data-show="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  }

  function content(answer, tree, kind, shared) {
    const { node, conditions, says, judged } = answer;
    const title = node.asks
      ? `Node ${node.node}: a test`
      : `Leaf ${node.node}: ${answerWords(node.class, tree.classes)}`;
    const choose = (name) => change({ show: name, boards: null }, { replace: true });
    const pick = (name, text) =>
      button(text, () => choose(name), {
        "aria-pressed": String(kind === name),
        "data-show": name,
        class: "pick",
      });
    const isKind = !["wrong", "right", "all"].includes(kind);
    const distances = select(
      [["", "any"], ...(node.mix ?? []).map((one) => [one.class, distanceWords(one.class)])],
      isKind ? kind : "",
      (name) => choose(name || "all"),
    );
    distances.dataset.show = "distance";
    return [
      h("h2", {}, title),
      says && h("p", {}, says),
      node.asks && h("p", {}, asked(node)),
      node.asks &&
        String(tree.root.node) !== String(node.node) &&
        h(
          "p",
          {},
          button("Show only the part below it", () =>
            change({ node: node.node, open: null, show: null, boards: null }),
          ),
        ),
      h("p", { role: "status" }, errorWords(node, judged)),
      conditions.length
        ? [h("h3", {}, "What its positions have in common"), conditionList(conditions)]
        : h("p", { class: "small" }, "All positions reach it."),
      node.mix && [
        h("h3", {}, "Some of its positions"),
        h(
          "div",
          { class: "row", role: "group", "aria-label": "Positions to show" },
          judged && pick("wrong", `Wrong (${node.wrong.toLocaleString("en")})`),
          judged && pick("right", `Right (${(node.positions - node.wrong).toLocaleString("en")})`),
          pick("all", "All"),
          field("Distance", distances),
        ),
        positions(answer, tree, kind, shared),
        h("h3", {}, "The true distances of its positions"),
        mixTable(node),
      ],
    ];
  }

  function mixTable(node) {
    return h(
      "table",
      { class: "mix" },
      h("caption", { class: "unseen" }, "True distances of its positions"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Distance", "Positions", "Share"].map((name, i) =>
            h("th", { scope: "col", class: i ? "number" : null }, name),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        node.mix.map((one) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, swatch(one.class), distanceWords(one.class)),
            h("td", { class: "number" }, one.positions.toLocaleString("en")),
            h("td", { class: "number" }, percent(one.positions, node.positions)),
          ),
        ),
      ),
    );
  }

  function positions(answer, tree, kind, shared) {
    const { found, offset, boards } = answer;
    if (!found) {
      return h(
        "p",
        { class: "small" },
        kind === "wrong" ? "None is answered wrongly." : "There is no such position.",
      );
    }
    return [
      h(
        "p",
        { class: "small" },
        range({ offset, shown: boards.length, found, word: "board" }),
        " A board stands for all its mirror images.",
      ),
      judgedBoards(boards, tree, shared),
      pager({
        offset,
        limit: PAGE,
        found,
        word: `boards${of}`,
        onGo: (to) => change({ boards: to || null }, { replace: true }),
      }),
    ];
  }

  /** Boards with the true distance and the tree's answer. */
  function judgedBoards(boards, tree, { player, material }) {
    return h(
      "ul",
      { class: "boards examples", "aria-label": `Positions of the node${of}` },
      boards.map(({ fen, says, answer }, i) => {
        const which = () => h("span", { class: "unseen" }, ` (board ${i + 1})`);
        return h(
          "li",
          {},
          smallBoard(fen),
          h("p", { class: "example-words" }, `${sideToMove(fen)}, ${says}`),
          h(
            "p",
            { class: "example-words" },
            answer === null
              ? "The tree has no answer."
              : `The tree says: ${answerWords(answer, tree.classes).toLowerCase()}.`,
          ),
          h(
            "p",
            { class: "example-links" },
            h("a", { href: linkTo({ view: "explore", fen, player, material }) }, "Explore", which()),
            h(
              "a",
              { href: linkTo({ view: "arena", fen, player, material, white: "human", black: "tablebase" }) },
              "Play from here",
              which(),
            ),
          ),
        );
      }),
    );
  }
}

/** The test of a node in a sentence. */
const asked = ({ meaning, asks }) =>
  /^whether /.test(meaning ?? "") ? `It asks ${meaning}.` : `It asks: ${meaning ?? asks}.`;
