/** The rules of a tree or a strategy, or the terms of a measure, as a list to search. */
import { get, latest } from "/page/api.js";
import { field, select } from "/page/choosers.js";
import { answerWords } from "/page/classes.js";
import { button, fill, freshId, h } from "/page/dom.js";
import { boardList } from "/page/examples.js";
import { capital, count } from "/page/game.js";
import { notices } from "/page/notice.js";
import { pager, range, whole } from "/page/pages.js";
import { tint } from "/page/scale.js";
import { later, TYPING } from "/page/timing.js";
import { conditionList, leafInto, shareBar } from "./leaf.js";
import { KIND_WORDS } from "./words.js";

/** The number of rules on a page. */
const PAGE = 25;
const EXAMPLES = 6;

/** @param {{go: function, signal: AbortSignal, notice: Object, onSize: function}} options */
export function rulesPart({ go, signal, notice, onSize }) {
  let state = {};
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

  async function drawRules(next, afresh) {
    state = next;
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
      const given = await notice.run((options) => ask("/api/rules", query, options));
      element.removeAttribute("aria-busy");
      if (!given) {
        if (!signal.aborted && notice.failed) fill(list);
        return;
      }
      shownKey = key;
      answer = given;
      drawList();
    }
    for (const row of rows) row.sync();
    drawAlone();
  }

  function drawList() {
    const { kind, material, all, offset } = answer;
    onSize(material, KIND_WORDS[kind], answer.size);
    const names = answer.classes ?? [];
    fill(
      classes,
      h("option", { value: "" }, "All classes"),
      names.map((name) => h("option", { value: name }, answerWords(name, names))),
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
    const key = isTree ? { leaf: String(rule.leaf), rule: null } : { rule: String(rule.number), leaf: null };
    const isOpen = () => (isTree ? state.leaf === key.leaf : state.rule === key.rule);
    const head = button("", () => go(isOpen() ? { leaf: null, rule: null } : key, { replace: true }), {
      class: "rule-head",
      "aria-expanded": "false",
      "aria-controls": id,
    });
    fill(
      head,
      h("span", { class: "rule-number" }, rule.number.toLocaleString("en")),
      rule.class &&
        tint(
          h("span", { class: "chip", title: rule.meaning }, answerWords(rule.class, names)),
          rule.class,
          names,
        ),
      h("span", { class: "rule-says" }, capital(rule.says)),
      rule.positions !== null &&
        rule.positions !== undefined &&
        h("span", { class: "rule-size" }, count(rule.positions, "position"), shareBar(rule.positions / most)),
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
    return leafInto(place, leaf, { ask: askLeaf, shared: shared(), signal });
  }

  function shared() {
    return { player: state.player, material: state.material };
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
