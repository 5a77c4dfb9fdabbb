/** A leaf of a tree with examples, and parts that several lists of a tree share. */
import { href } from "/page/address.js";
import { fill, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { capital, count } from "/page/game.js";
import { attributeName } from "/page/names.js";
import { notices } from "/page/notice.js";

/**
 * Shows a leaf: its answer, its conditions and some of its positions.
 * @param {HTMLElement} place @param {string} leaf
 * @param {{ask: function, shared: {player: string, material: string}, signal: AbortSignal}} options
 */
export async function leafInto(place, leaf, options) {
  const { ask, shared, signal } = options;
  const wait = notices({ again: () => leafInto(place, leaf, options) });
  fill(place, wait.element, h("p", { class: "small", role: "status" }, "Looking for examples..."));
  const answer = await wait.run((how) => ask("/api/node", { ...shared, node: leaf }, how));
  if (signal.aborted) return;
  if (!answer) {
    fill(place, wait.element);
    return;
  }
  const { node, says, path, conditions, boards } = answer;
  fill(
    place,
    says && h("p", {}, says),
    conditionList(conditions),
    h("p", { class: "small" }, node.positions !== null && node.positions !== undefined && sizeOf(node)),
    boardList(boards, { ...shared, label: `Examples of leaf ${leaf}` }),
    h(
      "p",
      {},
      h(
        "a",
        { href: href({ tab: "picture", node: null, open: path.join(","), chosen: leaf }) },
        "Show it in the picture",
      ),
    ),
  );
}

function sizeOf({ positions, canonical }) {
  const some = canonical ? `, ${canonical.toLocaleString("en")} up to symmetry` : "";
  return `${count(positions, "position")}${some}.`;
}

/** Conditions in words, and in figures if the names of attributes are shown. */
export function conditionList(conditions) {
  if (!conditions?.length) return null;
  return h(
    "ul",
    { class: "conditions" },
    conditions.map(({ sentence, figures }) => h("li", {}, capital(sentence), attributeName(figures))),
  );
}

/** A bar as long as a share; the text beside it has the same content. */
export function shareBar(share) {
  const bar = h("span", { class: "share", "aria-hidden": "true" }, h("span"));
  bar.firstChild.style.width = `${Math.max(1, Math.min(100, share * 100))}%`;
  return bar;
}
