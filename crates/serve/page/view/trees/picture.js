/** A tree as a picture: nodes and links that open and close, with zoom, search and export. */
import { answerWords, distanceWords } from "/page/classes.js";
import { href } from "/page/address.js";
import { button, fill, h } from "/page/dom.js";
import { count } from "/page/game.js";
import { areNamesShown, onNames } from "/page/names.js";
import { notices } from "/page/notice.js";
import { scaleKey } from "/page/scale.js";
import { camera } from "./camera.js";
import { pngBlob, save, svgText } from "./export.js";
import { finder } from "./finder.js";
import { WIDE, extent, layout } from "./layout.js";
import { nodePanel } from "./node_panel.js";
import { openNodes, treeNodes } from "./nodes.js";
import { heightOf, knobShapes, linkShape, nodeShapes } from "./shapes.js";
import { errorWords, mixWords, testWords } from "./words.js";

/** The most nodes that are shown at once. */
const MOST_SHOWN = 400;
const FULL = "The picture is full. Close some nodes first, or choose a node and show only the part below it.";
const KEYS_HELP =
  "Drag to move, Ctrl and the wheel or two fingers to zoom. Keys: arrows go from node to node, right opens and left closes, Enter chooses; Shift and arrows move the picture; + and \u2212 zoom, 0 shows all.";

/**
 * @param {{go: function, signal: AbortSignal, suffix?: string, label?: string, onSize: function(string, Object)}}
 *   options suffix: of the keys of the address, for a second picture; onSize is told of the tree that is shown
 * @returns {{element: HTMLElement, draw: function(Object, boolean=): Promise<void>, leave: function()}}
 */
export function picturePart({ go, signal, suffix = "", label = "The tree", onSize }) {
  const nodes = treeNodes(signal);
  const notice = notices({ again: () => draw(state, true) });
  let state = null;
  let shownKey = null;
  let places = [];
  let focused = null;
  let hits = new Set();
  /** The node to be brought into view once it is drawn. */
  let wanted = null;
  /** The state of this picture: the keys of the address without the suffix. */
  const own = (name) => state[name + suffix];
  const change = (changes, options) => {
    words.textContent = "";
    go(Object.fromEntries(Object.entries(changes).map(([key, value]) => [key + suffix, value])), options);
  };

  const svg = h("svg:svg", { class: "tree-picture", role: "tree", "aria-label": label });
  const scale = h("output", { class: "scale-words", "aria-label": "Size of the picture" });
  const view = camera(svg, { onScale: (now) => (scale.textContent = `${Math.round(100 * now)} %`) });
  const words = h("p", { class: "small", role: "status" });
  const find = finder({ signal, onGo: change, onFound: markHits, onStep: showHit });
  const panel = nodePanel({ signal, change, of: suffix ? " of the second tree" : "" });
  const where = h("p", { class: "small" });
  const key = h("div", { class: "tree-keys" });
  const tool = (text, name, act) => button(text, act, { "aria-label": name, title: name, class: "tool" });
  const element = h(
    "div",
    { class: "tree-and-node" },
    h(
      "section",
      { class: "panel", "aria-label": `Picture${suffix ? " of the second tree" : " of the tree"}` },
      h(
        "div",
        { class: "row tree-tools" },
        button("One more level", openLevel),
        button("Close all", () => change({ open: null, chosen: null, show: null, boards: null })),
        h(
          "span",
          { class: "row zoom", role: "group", "aria-label": "Zoom" },
          tool("\u2212", "Smaller", view.smaller),
          scale,
          tool("+", "Larger", view.larger),
          button("Fit", view.fit, { title: "Show everything that is open" }),
        ),
        find.element,
        h(
          "span",
          { class: "row", role: "group", "aria-label": "Save what is open" },
          button("SVG", () => saveAs("svg"), { title: "Save what is open as SVG" }),
          button("PNG", () => saveAs("png"), { title: "Save what is open as PNG" }),
        ),
      ),
      words,
      where,
      notice.element,
      h("div", { class: "tree-frame" }, svg),
      key,
      h("p", { class: "small" }, KEYS_HELP),
    ),
    panel.element,
  );
  onNames(() => nodes.root && drawNodes(false), signal);
  svg.addEventListener("keydown", keys);
  svg.addEventListener("click", clicked);
  return { element, draw, leave: view.leave };

  async function draw(next, afresh = false) {
    state = next;
    const from = own("node") ?? "0";
    const shown = { player: state[`player${suffix}`], material: state.material, node: from };
    const asked = JSON.stringify(shown);
    const isNew = asked !== shownKey || afresh;
    const isComplete = !isNew && (await complete());
    // Meanwhile another state may be shown.
    if (state !== next) return;
    if (!isComplete) {
      svg.setAttribute("aria-busy", "true");
      const done = await notice.run(async (options) => {
        await nodes.load(shown, openNodes(own("open") ?? "", null), options);
        return true;
      });
      svg.removeAttribute("aria-busy");
      if (!done) {
        if (!signal.aborted && state === next) {
          shownKey = null;
          for (const part of [svg, key, where]) fill(part);
          panel.clear();
        }
        return;
      }
      shownKey = asked;
      focused = null;
    }
    if (signal.aborted || state !== next) return;
    const { answer, root } = nodes;
    onSize(answer);
    fill(
      where,
      root.node > 0 && [
        `This is the part below node ${root.node}. `,
        h(
          "a",
          { href: href({ [`node${suffix}`]: null, [`open${suffix}`]: null }, state) },
          "Show the whole tree",
        ),
      ],
    );
    drawKeys(answer);
    drawNodes(isNew);
    await Promise.all([
      find.draw({ shown, find: own("find"), hit: own("hit") }),
      panel.draw(
        {
          shown,
          chosen: own("chosen"),
          wrong: nodes.get(own("chosen"))?.wrong,
          show: own("show"),
          boards: own("boards"),
        },
        answer,
      ),
    ]);
  }

  /** Fetches what is open and not yet known. @returns {Promise<boolean>} false if the tree is another one */
  async function complete() {
    const open = openNodes(own("open"), nodes.root);
    return (await notice.run((options) => nodes.complete(open, options))) ?? false;
  }

  function drawKeys({ distances, classes, judged }) {
    const grades = !judged && classes.length > 1;
    fill(
      key,
      distances && [
        h("span", { class: "small" }, "Bars, the true distances:"),
        scaleKey(distances, distanceWords, "Key to the bars"),
      ],
      grades && [
        h("span", { class: "small" }, "Answers, the best first:"),
        scaleKey(classes, (name) => answerWords(name, classes), "Key to the answers"),
      ],
    );
  }

  function isOpen(node) {
    return Boolean(node.branches) && openNodes(own("open"), nodes.root).has(String(node.node));
  }

  function drawNodes(isNew) {
    const high = heightOf(areNamesShown());
    const open = openNodes(own("open"), nodes.root);
    const shows = (node) => Boolean(node.branches) && open.has(String(node.node));
    const before = places.find((place) => String(place.node.node) === focused);
    const hadFocus = svg.contains(document.activeElement);
    places = layout(nodes.root, shows, high);
    const ids = new Set(places.map((place) => String(place.node.node)));
    if (!ids.has(focused)) focused = ids.has(own("chosen")) ? own("chosen") : String(nodes.root.node);
    const options = { names: areNamesShown(), classes: nodes.answer.classes };
    fill(
      svg,
      places.flatMap((place) => place.below.map((below) => elementOf(linkShape(place, below, high)))),
      places.map((place) => item(place, shows(place.node), high, options)),
    );
    view.whole = extent(places, high);
    const now = places.find((place) => String(place.node.node) === focused);
    const box = { x: now.x, y: now.y, width: WIDE, height: high };
    if (isNew) view.begin({ ...box, x: 0, y: places[0].y });
    else if (before) view.follow(now.x - before.x, now.y - before.y);
    if (isNew && ids.has(own("chosen"))) view.reveal(box);
    if (wanted === focused) view.reveal(box, { readable: true });
    wanted = null;
    if (hadFocus) itemOf(focused)?.focus({ preventScroll: true });
  }

  function item(place, shows, high, options) {
    const { node, branch, above, level } = place;
    const id = String(node.node);
    const siblings = above?.below ?? [place];
    const shapes = nodeShapes(place, options);
    const what = node.asks ? testWords(node) : answerWords(node.class, options.classes);
    const said = [
      branch ? branch.sentence : "All positions",
      what,
      node.positions === null || node.positions === undefined ? null : count(node.positions, "position"),
      mixWords(node),
      node.mix && nodes.answer.judged ? errorWords(node, true) : null,
    ];
    return h(
      "svg:g",
      {
        class: `tree-node${own("chosen") === id ? " chosen" : ""}${hits.has(id) ? " hit" : ""}`,
        role: "treeitem",
        tabindex: id === focused ? "0" : "-1",
        transform: `translate(${place.x} ${place.y})`,
        "data-node": id,
        "aria-level": level + 1,
        "aria-setsize": siblings.length,
        "aria-posinset": siblings.indexOf(place) + 1,
        "aria-expanded": node.asks ? String(shows) : null,
        "aria-selected": String(own("chosen") === id),
      },
      // The title is the name of the item.
      h("svg:title", {}, said.filter(Boolean).join("\n")),
      shapes.map(elementOf),
      node.asks && h("svg:g", { class: "tree-knob" }, knobShapes(place, shows, high).map(elementOf)),
    );
  }

  function itemOf(id) {
    return svg.querySelector(`[data-node="${id}"]`);
  }

  function clicked(event) {
    const one = event.target.closest("[data-node]");
    if (!one) return;
    focused = one.dataset.node;
    if (event.target.closest(".tree-knob")) toggle(focused);
    else choose(focused);
    itemOf(focused)?.focus({ preventScroll: true });
  }

  function choose(id) {
    change({ chosen: own("chosen") === id ? null : id, show: null, boards: null }, { replace: true });
  }

  function toggle(id) {
    const open = openNodes(own("open"), nodes.root);
    if (open.has(id)) open.delete(id);
    else if (places.length >= MOST_SHOWN) {
      words.textContent = FULL;
      return;
    } else open.add(id);
    change({ open: written(open) }, { replace: true });
  }

  /** The nodes that are open as a text, without those that stand below a closed one. */
  function written(open) {
    const shown = new Set();
    (function visit(node) {
      if (!open.has(String(node.node))) return;
      shown.add(String(node.node));
      for (const { to } of node.branches ?? []) visit(to);
    })(nodes.root);
    return [...shown].join(",") || "-";
  }

  function openLevel() {
    const open = openNodes(own("open"), nodes.root);
    const shut = places.map((place) => place.node).filter((node) => node.asks && !isOpen(node));
    let room = MOST_SHOWN - places.length;
    const chosen = shut.filter((node) => (room -= node.children) >= 0);
    words.textContent = !shut.length
      ? "Everything is open."
      : !chosen.length
        ? FULL
        : chosen.length < shut.length
          ? `Only ${count(chosen.length, "node")} opened: the picture shows at most ${MOST_SHOWN} nodes.`
          : "";
    if (!chosen.length) return;
    for (const node of chosen) open.add(String(node.node));
    const said = words.textContent;
    change({ open: [...open].join(",") });
    words.textContent = said;
  }

  function keys(event) {
    const one = event.target.closest("[data-node]");
    if (!one || event.altKey || event.ctrlKey || event.metaKey) return;
    if (view.key(event)) return event.preventDefault();
    const at = places.findIndex((place) => String(place.node.node) === one.dataset.node);
    const place = places[at];
    if (!place) return;
    const shows = isOpen(place.node);
    const act = {
      ArrowDown: () => places[at + 1],
      ArrowUp: () => places[at - 1],
      Home: () => places[0],
      End: () => places.at(-1),
      ArrowRight: () => (shows ? place.below[0] : place.node.asks && toggle(one.dataset.node)),
      ArrowLeft: () => (shows ? toggle(one.dataset.node) : place.above),
      Enter: () => choose(one.dataset.node),
      " ": () => choose(one.dataset.node),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    const to = act();
    if (to?.node) move(to);
  }

  /** Moves the focus to another node, and shows it. */
  function move(place) {
    itemOf(focused)?.setAttribute("tabindex", "-1");
    focused = String(place.node.node);
    const one = itemOf(focused);
    one.setAttribute("tabindex", "0");
    one.focus({ preventScroll: true });
    view.reveal({ x: place.x, y: place.y, width: WIDE, height: heightOf(areNamesShown()) });
  }

  function markHits(all) {
    hits = new Set(all.map((one) => String(one.node)));
    for (const one of svg.querySelectorAll("[data-node]"))
      one.classList.toggle("hit", hits.has(one.dataset.node));
  }

  /** Opens the way to a node that was found, chooses it and shows it. */
  function showHit({ node, path }, hit) {
    const id = String(node);
    // A full picture begins anew with the way to the node.
    const isFull = places.length + path.length > MOST_SHOWN;
    const open = isFull ? new Set() : openNodes(own("open"), nodes.root);
    for (const above of path) open.add(String(above));
    const isOutside = node !== nodes.root.node && !path.includes(nodes.root.node);
    focused = id;
    wanted = id;
    const also = isOutside ? { node: null } : {};
    change(
      { hit, open: [...open].join(","), chosen: id, show: null, boards: null, ...also },
      { replace: true },
    );
  }

  async function saveAs(kind) {
    const { material, classes, distances, leaves, judged } = nodes.answer;
    const player = state[`player${suffix}`];
    const title = `${material}, ${player}: ${count(leaves, "leaf", "leaves")}${judged ? "" : "; answers are ranks"}`;
    const picture = { places, isOpen, names: areNamesShown(), classes, distances, title };
    const name = `${material}-${player.replace(/^.*[/:]/, "").replace(/\.json$/, "")}.${kind}`;
    await notice.run(async () => {
      const blob =
        kind === "svg" ? new Blob([svgText(picture)], { type: "image/svg+xml" }) : pngBlob(picture);
      save(blob, name);
      words.textContent = `Saved as ${name}.`;
    });
  }
}

/** A shape as an element of the page; its role is a class of the style sheet. */
function elementOf({ tag, role, text, middle, end, ...attributes }) {
  const anchor = middle ? "middle" : end ? "end" : null;
  return h(`svg:${tag}`, { class: `tree-${role}`, "text-anchor": anchor, ...attributes }, text);
}
