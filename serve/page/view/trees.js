/** Trees and strategies as an ordered list of rules, and as a picture that opens level by level. */
import { about, get, latest } from "/page/api.js";
import { href } from "/page/address.js";
import { endgameChooser, endgameOf, field, playerChooser, select } from "/page/choosers.js";
import { tabLinks, tint } from "/page/controls.js";
import { button, fill, freshId, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { capital, count } from "/page/game.js";
import { notices } from "/page/notice.js";
import { showSource } from "./trees/source.js";
import { pager, range } from "/page/pages.js";
import { later, TYPING } from "/page/timing.js";

/** The number of rules on a page. */
const PAGE = 25;
/** The most rows that are opened at once. */
const MOST_ROWS = 100;
const EXAMPLES = 6;
/** The kinds of knowledge, in words. */
const KIND_WORDS = { tree: "a tree", strategy: "a strategy", measure: "a measure" };

const TABS = [
  ["rules", "Rules"],
  ["picture", "Picture"],
];

export async function show(main, first, go, signal) {
  let state = withDefaults(first);
  let known = null; // what /api/about says
  const readable = (player) => player.tree || player.strategy || player.measure;
  const isReadable = (name) => Boolean(known?.players.some((one) => one.name === name && readable(one)));
  const isFor = (name, material) => {
    const endgame = known?.endgames.find((one) => one.material === material);
    // A player made by an experiment is not in the list.
    return !endgame || endgame.players.includes(name) || !known.players.some((one) => one.name === name);
  };
  // This is requested before the choosers are, so that their filters have it.
  about().then(
    (answer) => (known = answer),
    () => {},
  );
  const players = playerChooser({
    label: "Tree, strategy or measure",
    value: state.player,
    material: state.material,
    filter: (player) => readable(player) && isFor(player.name, state.material),
    onChange: async (player) =>
      go({ ...fresh, player, material: (await endgameOf(player)) ?? state.material }),
  });
  const endgames = endgameChooser({
    value: state.material,
    filter: (endgame) => endgame.players.some(isReadable),
    onChange: async (material) => {
      await about();
      const player = isFor(state.player, material)
        ? state.player
        : known.players.find((one) => readable(one) && isFor(one.name, material))?.name;
      go({ ...fresh, material, player });
    },
  });
  const tabs = tabLinks("View of the tree", TABS);
  const size = h("p", { class: "tree-size", role: "status" });
  const notice = notices({ again: () => draw(true) });
  const body = h("div", { class: "stack" });
  const parts = { rules: rulesPart(), picture: picturePart() };

  fill(
    main,
    h("h1", {}, "Trees and rules"),
    h(
      "section",
      { class: "panel", "aria-label": "Tree and view" },
      h("div", { class: "row even" }, endgames.element, players.element),
      tabs.element,
      size,
    ),
    notice.element,
    body,
  );
  return {
    ready: draw(),
    update(next) {
      state = withDefaults(next);
      players.set(state.player, state.material);
      endgames.set(state.material);
      return draw();
    },
  };

  async function draw(afresh = false) {
    showSource(main, state, signal);
    tabs.set(state.tab, (tab) => href({ tab }, state));
    // A strategy is a list of rules and a measure a list of terms, without a tree.
    tabs.element.hidden = state.tab === "rules" && /^(strategy|measure)(:|$)/.test(state.player);
    const part = parts[state.tab];
    if (body.firstChild !== part.element) {
      size.textContent = "";
      notice.clear();
      fill(body, part.element);
    }
    await part.draw(afresh);
  }

  // The list of rules

  function rulesPart() {
    const ask = latest(signal);
    const askLeaf = latest(signal);
    let shownKey = null;
    let answer = null;
    let rows = [];
    const typed = later(
      (q) => go({ q, from: null, leaf: null, rule: null }, { replace: true }),
      TYPING,
      signal,
    );
    const search = h("input", {
      type: "search",
      value: state.q ?? "",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "rook, edge, kRoom, ...",
      oninput: (event) => typed(event.target.value.trim()),
    });
    const classes = select([["", "All classes"]], "", (name) =>
      go({ class: name, from: null, leaf: null, rule: null }),
    );
    const classField = field("Class", classes);
    const found = h("p", { class: "small", role: "status" });
    const alone = h("div");
    const list = h("ol", { class: "rules" });
    const pages = h("div");
    const element = h(
      "section",
      { class: "panel", "aria-label": "Rules" },
      h("div", { class: "row" }, field("Search for a word or an attribute", search), classField),
      found,
      alone,
      list,
      pages,
    );

    return { element, draw: drawRules };

    async function drawRules(afresh) {
      const query = {
        player: state.player,
        material: state.material,
        search: state.q,
        class: state.class,
        offset: whole(state.from),
        limit: PAGE,
      };
      const key = JSON.stringify(query);
      if (document.activeElement !== search) search.value = state.q ?? "";
      if (key !== shownKey || afresh) {
        element.setAttribute("aria-busy", "true");
        const next = await notice.run((options) => ask("/api/rules", query, options));
        element.removeAttribute("aria-busy");
        if (!next) {
          if (!signal.aborted && notice.element.querySelector(".error")) fill(list);
          return;
        }
        shownKey = key;
        answer = next;
        drawList();
      }
      for (const row of rows) row.sync();
      drawAlone();
    }

    function drawList() {
      const { kind, material, all, offset } = answer;
      size.textContent = sizeWords(material, KIND_WORDS[kind], answer.size);
      const names = answer.classes ?? [];
      fill(
        classes,
        h("option", { value: "" }, "All classes"),
        names.map((name) => h("option", { value: name }, name)),
      );
      classes.value = names.includes(state.class) ? state.class : "";
      classField.hidden = !names.length;
      found.textContent = range({
        offset,
        shown: answer.rules.length,
        found: answer.found,
        all,
        word: kind === "measure" ? "term" : "rule",
      });
      list.start = offset + 1;
      const most = Math.max(1, ...answer.rules.map((rule) => rule.positions ?? 0));
      rows = answer.rules.map((rule) => ruleRow(rule, names, most, kind));
      fill(
        list,
        rows.map((row) => row.element),
      );
      fill(
        pages,
        pager({
          offset,
          limit: PAGE,
          found: answer.found,
          word: kind === "measure" ? "terms" : "rules",
          onGo: (from) => {
            go({ from: from || null, leaf: null, rule: null });
            element.scrollIntoView({ block: "start" });
          },
        }),
      );
    }

    /** Draws the leaf in the address if it is not on this page. */
    function drawAlone() {
      const leaf = state.leaf;
      if (!leaf || rows.some((row) => row.isOpen())) return fill(alone);
      const place = h("div", { class: "rule-body" });
      fill(alone, h("section", { class: "lone-leaf" }, h("h2", {}, `Leaf ${leaf}`), place));
      return fillLeaf(place, leaf);
    }

    function ruleRow(rule, names, most, kind) {
      const id = freshId("rule");
      const place = h("div", { class: "rule-body", id, hidden: true });
      const isTree = rule.leaf !== null && rule.leaf !== undefined;
      const key = isTree
        ? { leaf: String(rule.leaf), rule: null }
        : { rule: String(rule.number), leaf: null };
      const isOpen = () => (isTree ? state.leaf === key.leaf : state.rule === key.rule);
      const head = button("", () => go(isOpen() ? { leaf: null, rule: null } : key, { replace: true }), {
        class: "rule-head",
        "aria-expanded": "false",
        "aria-controls": id,
      });
      fill(
        head,
        h("span", { class: "rule-number" }, rule.number.toLocaleString("en")),
        rule.class && tint(h("span", { class: "chip", title: rule.meaning }, rule.class), rule.class, names),
        h("span", { class: "rule-says" }, capital(rule.says)),
        rule.positions !== null &&
          rule.positions !== undefined &&
          h(
            "span",
            { class: "rule-size" },
            count(rule.positions, "position"),
            shareBar(rule.positions / most),
          ),
      );
      const row = h("li", {}, head, place);
      // The keys of a strategy's rule are in its sentence; those of a tree are shown when it is opened.
      if (!isTree && rule.conditions?.length) row.insertBefore(conditionList(rule.conditions), place);
      let filled = false;
      return {
        element: row,
        isOpen,
        sync() {
          const open = isOpen();
          head.setAttribute("aria-expanded", String(open));
          place.hidden = !open;
          if (!open || filled) return;
          filled = true;
          if (isTree) fillLeaf(place, key.leaf);
          else if (kind === "strategy") fillRule(place, rule);
        },
      };
    }

    function fillLeaf(place, leaf) {
      return leafInto(place, leaf, askLeaf);
    }

    /** Shows examples of a strategy's rule: positions in which it is used. */
    async function fillRule(place, rule) {
      const wait = notices({ again: () => fillRule(place, rule) });
      fill(place, wait.element, h("p", { class: "small", role: "status" }, "Looking for examples..."));
      const query = {
        material: state.material,
        player: state.player,
        by: "rule",
        value: rule.number,
        turn: "white",
      };
      const boards = await wait.run(async (options) => {
        const found = new Map();
        for (let seed = 1; seed <= EXAMPLES; seed += 1) {
          const board = await get("/api/random", { ...query, seed }, { ...options, signal });
          found.set(board.fen, board);
        }
        return [...found.values()];
      });
      if (signal.aborted) return;
      fill(
        place,
        wait.element,
        boards && h("p", {}, h("b", {}, "Positions in which this rule is used")),
        boards && boardList(boards, { ...shared(), label: `Examples of rule ${rule.number}` }),
      );
    }
  }

  // The picture

  function picturePart() {
    let shownKey = null;
    const ask = latest(signal);
    let root = null;
    let total = 1;
    const nodes = new Map();
    const items = new Map();
    const inner = notices({ again: () => drawPicture(true) });
    const map = h("div", { class: "tree-map" });
    const list = h("ul", { class: "tree", "aria-label": "The tree" });
    const more = button("Open one more level", openLevel);
    const less = button("Close all", () => go({ open: null, leaf: null }));
    const words = h("p", { class: "small", role: "status" });
    const where = h("p", { class: "small" });
    const element = h(
      "section",
      { class: "panel", "aria-label": "Picture of the tree" },
      h(
        "p",
        { class: "small" },
        "Each line is a test, or a leaf with its answer. ",
        "The bar shows the share of all positions that reach it. ",
        "Arrow keys go up and down; right opens and left closes.",
      ),
      h("div", { class: "row" }, more, less, words, where),
      inner.element,
      map,
      list,
    );
    list.addEventListener("keydown", keys);

    return { element, draw: drawPicture };

    function opened() {
      if (state.open === undefined) return new Set([String(root?.node ?? 0)]);
      return new Set(state.open.split(","));
    }

    async function drawPicture(afresh) {
      const from = whole(state.node);
      const key = JSON.stringify([state.player, state.material, from]);
      if (key !== shownKey || afresh) {
        element.setAttribute("aria-busy", "true");
        const answer = await notice.run((options) =>
          ask(
            "/api/tree",
            { player: state.player, material: state.material, node: from, levels: 2 },
            options,
          ),
        );
        element.removeAttribute("aria-busy");
        if (!answer) return void (notice.element.querySelector(".error") && fill(list) && fill(map));
        shownKey = key;
        nodes.clear();
        items.clear();
        root = answer.root;
        total = root.positions ?? root.leaves;
        keep(root);
        size.textContent = sizeWords(
          answer.material,
          "a tree",
          `${count(answer.leaves, "leaf", "leaves")}, ${count(answer.nodes, "node")}`,
        );
        fill(
          where,
          from > 0 && [
            `This is the part below node ${from}. `,
            h("a", { href: href({ node: null, open: null }, state) }, "Show the whole tree"),
          ],
        );
        fill(list, item(root, null, 0));
      }
      const mine = root;
      await openAll();
      if (signal.aborted || root !== mine) return;
      for (const one of [...items.values()]) one.sync();
      drawMap();
    }

    function keep(node) {
      nodes.set(String(node.node), node);
      for (const { to } of node.branches ?? []) keep(to);
    }

    /** Fetches missing nodes that the address lists as open, level by level. */
    async function openAll() {
      const wanted = opened();
      const mine = root;
      for (;;) {
        const missing = [...wanted].filter((id) => {
          const node = nodes.get(id);
          return node && node.asks && !node.branches;
        });
        if (!missing.length || signal.aborted) return;
        const done = await inner.run(async (options) => {
          for (const id of missing) {
            const { root: part } = await get(
              "/api/tree",
              { player: state.player, material: state.material, node: id, levels: 1 },
              { ...options, signal },
            );
            if (root !== mine) return false;
            nodes.get(id).branches = part.branches ?? [];
            keep(nodes.get(id));
          }
          return true;
        });
        if (!done) return;
      }
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
            branch?.figures && h("code", {}, branch.figures),
          ),
          isLeaf
            ? tint(h("span", { class: "chip" }, node.class), node.class, classNames())
            : h("span", { class: "node-asks" }, `Asks: ${node.meaning ?? node.asks}`),
        ),
        h(
          "span",
          { class: "rule-size" },
          node.positions === null || node.positions === undefined ? null : count(node.positions, "position"),
          isLeaf
            ? null
            : h("span", {}, `${count(node.leaves, "leaf", "leaves")}, ${count(node.depth, "level")}`),
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
            leafInto(inside, id, (path, query, options) => get(path, query, { ...options, signal }));
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

    function classNames() {
      return [...new Set([...nodes.values()].map((node) => node.class).filter(Boolean))].sort();
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
      const room = Math.max(0, Math.floor((MOST_ROWS - visible().length) / 2));
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

    /** Draws the open levels below one another; each node is as wide as its share of the positions. */
    function drawMap() {
      const open = opened();
      const boxes = [];
      const width = 1000;
      const high = 26;
      const names = classNames();
      let depth = 0;
      (function place(node, branch, x, wide, level) {
        if (wide < 1.5) return;
        depth = Math.max(depth, level);
        boxes.push({ node, branch, x, wide, level });
        if (!node.branches || !open.has(String(node.node))) return;
        const all = node.branches.reduce((sum, { to }) => sum + (to.positions ?? to.leaves), 0) || 1;
        let left = x;
        for (const one of node.branches) {
          const part = (wide * (one.to.positions ?? one.to.leaves)) / all;
          place(one.to, one, left, part, level + 1);
          left += part;
        }
      })(root, null, 0, width, 0);
      // The list has the same content for screen readers and the keyboard.
      const picture = h(
        "svg:svg",
        {
          viewBox: `0 0 ${width} ${(depth + 1) * high}`,
          "aria-hidden": "true",
          preserveAspectRatio: "none",
          height: (depth + 1) * high,
        },
        boxes.map(({ node, branch, x, wide, level }) => {
          const isLeaf = !node.asks;
          const box = h(
            "svg:rect",
            {
              x: x + 0.75,
              y: level * high + 1,
              width: Math.max(0.5, wide - 1.5),
              height: high - 2,
              rx: 2,
              class: isLeaf ? "map-leaf" : open.has(String(node.node)) ? "map-open" : "map-shut",
              onclick: () =>
                isLeaf ? go({ leaf: String(node.node) }, { replace: true }) : toggle(String(node.node)),
            },
            h(
              "svg:title",
              {},
              `${branch ? `${capital(branch.sentence)}\n` : ""}${
                isLeaf ? node.class : `Asks: ${node.meaning ?? node.asks}`
              }\n${
                node.positions === null || node.positions === undefined
                  ? count(node.leaves, "leaf", "leaves")
                  : count(node.positions, "position")
              }`,
            ),
          );
          return isLeaf ? tint(box, node.class, names) : box;
        }),
      );
      fill(map, picture);
    }
  }

  // Both

  function sizeWords(material, what, words) {
    return `${material || state.material}, ${what}: ${words}.`;
  }

  function shared() {
    return { player: state.player, material: state.material };
  }

  async function leafInto(place, leaf, ask) {
    const wait = notices({ again: () => leafInto(place, leaf, ask) });
    fill(place, wait.element, h("p", { class: "small", role: "status" }, "Looking for examples..."));
    const answer = await wait.run((options) => ask("/api/leaf", { ...shared(), leaf }, options));
    if (signal.aborted) return;
    if (!answer) {
      fill(place, wait.element);
      return;
    }
    fill(
      place,
      h("p", {}, h("b", {}, answer.class), answer.meaning ? `: ${answer.meaning}` : ""),
      conditionList(answer.conditions),
      h(
        "p",
        { class: "small" },
        answer.positions !== null && answer.positions !== undefined && sizeOf(answer),
      ),
      boardList(answer.boards, { ...shared(), label: `Examples of leaf ${leaf}` }),
    );
  }
}

const fresh = { q: null, class: null, from: null, leaf: null, rule: null, node: null, open: null };

function withDefaults(state) {
  return {
    ...state,
    player: state.player ?? "theory",
    material: state.material ?? "KRvK",
    tab: state.tab === "picture" ? "picture" : "rules",
  };
}

function whole(text) {
  const n = Number(text);
  return Number.isInteger(n) && n > 0 ? n : 0;
}

function sizeOf({ positions, canonical }) {
  const some = canonical ? `, ${canonical.toLocaleString("en")} up to symmetry` : "";
  return `${count(positions, "position")}${some}.`;
}

function conditionList(conditions) {
  if (!conditions?.length) return null;
  return h(
    "ul",
    { class: "conditions" },
    conditions.map(({ sentence, figures }) =>
      h("li", {}, capital(sentence), figures && h("code", {}, figures)),
    ),
  );
}

/** A bar as long as a share; the text beside it has the same content. */
function shareBar(share) {
  const bar = h("span", { class: "share", "aria-hidden": "true" }, h("span"));
  bar.firstChild.style.width = `${Math.max(1, Math.min(100, share * 100))}%`;
  return bar;
}
