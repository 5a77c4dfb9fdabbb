/** A tree as an outline: a line for each node, which opens and closes. */
import { get } from "/page/api.js";
import { href } from "/page/address.js";
import { answerWords } from "/page/classes.js";
import { button, fill, freshId, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { attributeName } from "/page/names.js";
import { notices } from "/page/notice.js";
import { tint } from "/page/scale.js";
import { leafInto, shareBar } from "./leaf.js";
import { openNodes, treeNodes } from "./nodes.js";
import { shortError, testWords } from "./words.js";

/** The most lines that are opened at once. */
const MOST_LINES = 100;

/** @param {{go: function, signal: AbortSignal, onSize: function(Object)}} options */
export function outlinePart({ go, signal, onSize }) {
  const nodes = treeNodes(signal);
  const items = new Map();
  const notice = notices({ again: () => draw(state, true) });
  let state = null;
  let shownKey = null;
  let total = 1;
  const list = h("ul", { class: "tree", "aria-label": "The tree" });
  const words = h("p", { class: "small", role: "status" });
  const where = h("p", { class: "small" });
  const element = h(
    "section",
    { class: "panel", "aria-label": "Outline of the tree" },
    h(
      "p",
      { class: "small" },
      "Each line is a test, or a leaf with its answer. ",
      "The bar shows the share of all positions that reach it. ",
      "Arrow keys go up and down; right opens and left closes.",
    ),
    h(
      "div",
      { class: "row" },
      button("Open one more level", openLevel),
      button("Close all", () => go({ open: null, leaf: null })),
      words,
      where,
    ),
    notice.element,
    list,
  );
  list.addEventListener("keydown", keys);
  return { element, draw };

  async function draw(next, afresh = false) {
    state = next;
    const shown = { player: state.player, material: state.material, node: state.node ?? "0" };
    const key = JSON.stringify(shown);
    const isNew = key !== shownKey || afresh;
    element.setAttribute("aria-busy", "true");
    const done = await notice.run(async (options) => {
      if (isNew) await nodes.load(shown, openNodes(state.open ?? "", null), options);
      else await nodes.complete(openNodes(state.open, nodes.root), options);
      return true;
    });
    element.removeAttribute("aria-busy");
    if (signal.aborted || state !== next) return;
    if (!done) {
      shownKey = null;
      return void fill(list);
    }
    const { answer, root } = nodes;
    onSize(answer);
    if (isNew) {
      shownKey = key;
      items.clear();
      total = root.positions ?? root.leaves;
      fill(
        where,
        root.node > 0 && [
          `This is the part below node ${root.node}. `,
          h("a", { href: href({ node: null, open: null }, state) }, "Show the whole tree"),
        ],
      );
      fill(list, item(root, null, 0));
    }
    for (const one of [...items.values()]) one.sync();
  }

  function opened() {
    return openNodes(state.open, nodes.root);
  }

  function item(node, branch, level) {
    const id = String(node.node);
    const isLeaf = !node.asks;
    const inside = h(isLeaf ? "div" : "ul", {
      class: isLeaf ? "rule-body" : "tree",
      id: freshId("branch"),
      hidden: true,
    });
    const head = button(
      "",
      () => (isLeaf ? go({ leaf: state.leaf === id ? null : id }, { replace: true }) : toggle(id)),
      { class: "node", "aria-expanded": "false", "aria-controls": inside.id, "data-node": id },
    );
    const { classes } = nodes.answer;
    const part = (node.positions ?? node.leaves) / total;
    fill(
      head,
      h(
        "span",
        { class: "node-words" },
        h(
          "span",
          { class: "node-branch" },
          branch ? capital(branch.sentence) : "All positions",
          branch && attributeName(branch.figures),
        ),
        isLeaf
          ? tint(h("span", { class: "chip" }, answerWords(node.class, classes)), node.class, classes)
          : h("span", { class: "node-asks" }, `Asks: ${testWords(node)}`),
      ),
      h(
        "span",
        { class: "rule-size" },
        node.positions === null || node.positions === undefined ? null : count(node.positions, "position"),
        isLeaf
          ? null
          : h("span", {}, `${count(node.leaves, "leaf", "leaves")}, ${count(node.depth, "level")}`),
        shortError(node) && h("span", {}, shortError(node)),
        shareBar(part),
      ),
    );
    const row = h("li", { class: isLeaf ? "leaf" : null }, head);
    if (!isLeaf && level >= 6) {
      row.append(
        h(
          "a",
          { class: "small from-here", href: href({ node: id, open: null, leaf: null }, state) },
          `Show from here`,
          h("span", { class: "unseen" }, ` (node ${id})`),
        ),
      );
    }
    row.append(inside);
    let filled = false;
    items.set(id, {
      sync() {
        const open = isLeaf ? state.leaf === id : opened().has(id) && Boolean(node.branches);
        head.setAttribute("aria-expanded", String(open));
        inside.hidden = !open;
        if (!open || filled) return;
        filled = true;
        if (isLeaf) {
          const shared = { player: state.player, material: state.material };
          const ask = (path, query, options) => get(path, query, { ...options, signal });
          leafInto(inside, id, { ask, shared, signal });
        } else {
          fill(
            inside,
            node.branches.map((one) => item(one.to, one, level + 1)),
          );
          for (const one of node.branches) items.get(String(one.to.node)).sync();
        }
      },
    });
    return row;
  }

  function toggle(id) {
    const open = opened();
    if (open.has(id)) open.delete(id);
    else open.add(id);
    go({ open: [...open].join(",") || "-" }, { replace: true });
  }

  function visible() {
    return [...list.querySelectorAll("button.node")].filter((one) => one.checkVisibility());
  }

  function openLevel() {
    const open = opened();
    const shut = visible().filter(
      (one) => one.getAttribute("aria-expanded") === "false" && nodes.get(one.dataset.node).asks,
    );
    const room = Math.max(0, Math.floor((MOST_LINES - visible().length) / 2));
    const chosen = shut.slice(0, room);
    words.textContent = !shut.length
      ? "Everything is open."
      : !chosen.length
        ? "The list is full. Close some lines first, or show only a part of the tree."
        : chosen.length < shut.length
          ? `Only ${count(chosen.length, "line")} opened, to keep the list short.`
          : "";
    if (!chosen.length) return;
    for (const one of chosen) open.add(one.dataset.node);
    go({ open: [...open].join(",") });
  }

  function keys(event) {
    const head = event.target.closest("button.node");
    if (!head || event.altKey || event.ctrlKey || event.metaKey) return;
    const shown = visible();
    const at = shown.indexOf(head);
    const open = head.getAttribute("aria-expanded") === "true";
    const to = {
      ArrowDown: () => shown[at + 1],
      ArrowUp: () => shown[at - 1],
      Home: () => shown[0],
      End: () => shown.at(-1),
      ArrowRight: () => (open ? shown[at + 1] : head.click()),
      ArrowLeft: () =>
        open ? head.click() : head.parentElement.parentElement.parentElement?.querySelector("button.node"),
    }[event.key];
    if (!to) return;
    event.preventDefault();
    to()?.focus();
  }
}
