/** Verdicts: rules about who wins, and what a look at every position of their endgame says of each. */
import { href, linkTo } from "/page/address.js";
import { latest } from "/page/api.js";
import { smallBoard } from "/page/board.js";
import { endgameLinks, endgameWords, field, select } from "/page/choosers.js";
import { tabLinks, viewHead } from "/page/controls.js";
import { button, fill, freshId, h } from "/page/dom.js";
import { capital, count, sentence, sideToMove } from "/page/game.js";
import { legend } from "/page/legend.js";
import { namesSwitch } from "/page/names.js";
import { notices } from "/page/notice.js";
import { conditionList, shareBar } from "./trees/leaf.js";

// Keys of its own: tab (the kind of rules), rule (the name of the rule that is open, or CLOSED), sort (an order of ORDERS).

/** The endgame that is shown if none is chosen. */
const USUAL = "KPvK";
/** In the place of a rule's name: none is open. */
const CLOSED = "-";
/** The most conditions that are shown without being asked for. */
const MANY = 10;
/** The orders of the list: their names, titles and comparisons. */
const ORDERS = {
  "": ["As listed", () => 0],
  wrong: ["The least often right first", (one, other) => one.right - other.right],
  applies: ["What applies most often first", (one, other) => other.applies - one.applies],
};
/** The keys that are cleared for another list. */
const FRESH = { tab: null, rule: null };

export async function show(main, first, go, signal) {
  let state = first;
  let answer = null;
  let shown = ""; // what the list shows: the endgame, the kind and the order
  let rows = [];
  const ask = latest(signal);
  const notice = notices({ again: () => draw() });
  const endgames = endgameLinks("Endgames with rules");
  const place = h("div", { class: "stack" });
  const order = select(
    Object.entries(ORDERS).map(([name, [title]]) => [name, title]),
    "",
    (sort) => go({ sort }),
  );
  const controls = h("div", { class: "row" }, field("Order", order), namesSwitch());
  const list = h("ol", { class: "rules" });
  fill(
    main,
    viewHead(
      "Rules about who wins",
      "Each rule has been tried in every position of its endgame: how often it is right, and where it is wrong.",
    ),
    endgames.element,
    notice.element,
    place,
  );
  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
  };

  async function draw() {
    const material = state.material ?? USUAL;
    if (answer?.material !== material) {
      const found = await notice.run((options) => ask("/api/verdicts", { material }, options));
      if (!found) return;
      answer = found;
      shown = "";
    }
    drawEndgames(material);
    const kind = answer.kinds.find((one) => one.kind === state.tab) ?? answer.kinds[0];
    const now = [material, kind?.kind, state.sort].join();
    if (shown !== now) {
      const isFirst = !shown;
      shown = now;
      if (kind) drawKind(material, kind);
      else drawNone(material);
      if (isFirst && state.rule)
        rows.find((row) => row.name === state.rule)?.element.scrollIntoView({ block: "nearest" });
    }
    for (const row of rows) row.sync();
  }

  function drawEndgames(material) {
    endgames.set(
      answer.endgames.map(({ material: of, rules }) => ({
        material: of,
        href: href({ ...FRESH, material: of }, state),
        says: [
          h("span", { class: "small", "aria-hidden": "true" }, rules),
          h("span", { class: "unseen" }, `, ${count(rules, "rule")}`),
        ],
      })),
      material,
    );
  }

  // What holds where no rule of thumb applies is no rule.
  function sizeOf(kind) {
    return kind.rules.length - (kind.right_in_order ? 1 : 0);
  }

  function drawKind(material, kind) {
    const { kinds } = answer;
    const tabs = tabLinks(
      "Kinds of rules",
      kinds.map((one) => [one.kind, `${one.title} (${sizeOf(one)})`]),
    );
    tabs.set(kind.kind, (tab) => href({ ...FRESH, tab: tab === kinds[0].kind ? null : tab }, state));
    const hadFocus = place.querySelector(".tabs")?.contains(document.activeElement);
    order.value = ORDERS[state.sort] ? state.sort : "";
    const [, compare] = ORDERS[order.value];
    const numbered = kind.rules.map((rule, i) => ({ ...rule, number: i + 1 }));
    numbered.sort(compare);
    rows = numbered.map((rule) => ruleRow(rule, kind, numbered[0].name));
    fill(
      list,
      rows.map((row) => row.element),
    );
    const whole =
      kind.right_in_order && ` The list as a whole is right in ${kind.right_in_order} of all positions.`;
    fill(
      place,
      h("h2", {}, capital(endgameWords(material))),
      h(
        "p",
        { class: "small" },
        `White is the side named first, and wins ${kind.won} of the ${count(kind.positions, "position")}. Positions that are alike but for a turn or a mirror of the board count once.`,
      ),
      tabs.element,
      h("p", {}, kind.about, whole),
      controls,
      list,
    );
    if (hadFocus) tabs.element.querySelector("[aria-current]").focus({ preventScroll: true });
  }

  function drawNone(material) {
    rows = [];
    fill(
      place,
      h("p", { class: "notice" }, `There are no rules about ${material} here. Choose another endgame.`),
    );
  }

  function ruleRow(rule, kind, usual) {
    const id = freshId("rule");
    const body = h("div", { class: "rule-body", id, hidden: true });
    const isOpen = () => (state.rule ?? usual) === rule.name;
    const head = button("", () => go({ rule: isOpen() ? CLOSED : rule.name }, { replace: true }), {
      class: "rule-head",
      "aria-expanded": "false",
      "aria-controls": id,
    });
    fill(
      head,
      h("span", { class: "rule-number" }, rule.number),
      h("span", { class: `chip ${rule.claim}` }, rule.says),
      h("span", { class: "rule-says" }, headOf(rule)),
      h(
        "span",
        { class: "rule-size" },
        h("b", {}, rule.wrong ? `${rule.right_percent} right` : "always right"),
        shareBar(rule.right),
        count(rule.applies, "position"),
      ),
    );
    let isFilled = false;
    return {
      name: rule.name,
      element: h("li", {}, head, body),
      sync() {
        const open = isOpen();
        head.setAttribute("aria-expanded", String(open));
        body.hidden = !open;
        if (!open || isFilled) return;
        isFilled = true;
        fillBody(body, rule, kind);
      },
    };
  }

  // A rule without a title has its conditions there.
  function headOf({ title, conditions }) {
    return title ? capital(title) : `If ${conditions.map((one) => one.sentence).join("; ")}`;
  }

  function conditionsOf({ says, sentence: whole, conditions }) {
    if (!conditions.length) return h("p", {}, sentence(whole));
    if (conditions.length > MANY)
      return h(
        "details",
        {},
        h("summary", {}, `${says} if ${conditions.length} conditions hold`),
        conditionList(conditions),
      );
    return h("div", {}, h("p", {}, `${says} if`), conditionList(conditions));
  }

  function fillBody(body, rule, kind) {
    const { applies, wrong, right_percent: right, repair, source } = rule;
    const verb = kind.right_in_order ? "decides" : "applies in";
    const record = wrong
      ? `is right in ${right} of them. In ${count(wrong, "position")} it is wrong.`
      : "is right in every one of them.";
    const boards = [
      rule.exception && ["Where it is wrong", rule.exception],
      rule.example && ["Where it is right", rule.example],
    ].filter(Boolean);
    fill(
      body,
      conditionsOf(rule),
      h("p", {}, `It ${verb} ${count(applies, "position")}, and ${record}`),
      boards.length > 0 &&
        h("ul", { class: "boards verdict-boards", "aria-label": "Boards" }, boards.map(boardItem)),
      repair &&
        h(
          "div",
          {},
          h("p", {}, h("b", {}, "Repaired: "), "it is always right if this holds as well:"),
          conditionList(repair.conditions),
          h(
            "p",
            { class: "small" },
            `Then it applies in ${count(repair.applies, "position")}: ${repair.keeps} of those in which it was right.`,
          ),
        ),
      source && h("p", { class: "small" }, `Source: ${sentence(source)}`),
    );
  }

  function boardItem([label, { fen, says, marks }]) {
    return h(
      "li",
      {},
      h(
        "a",
        { href: linkTo({ view: "explore", fen, material: answer.material }), title: "Open in Explore" },
        smallBoard(fen, { marks }),
        h("span", { class: "verdict-words" }, h("b", {}, label), `: ${sideToMove(fen)}, ${says}`),
      ),
      legend(marks),
    );
  }
}
