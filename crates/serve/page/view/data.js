/** Data: the rows that learners see, and how well attributes tell positions apart. */
import { about } from "/page/api.js";
import { href } from "/page/address.js";
import { tabLinks, viewHead } from "/page/controls.js";
import { fill, h } from "/page/dom.js";
import { notices } from "/page/notice.js";
import { attributesPart } from "./data/attributes.js";
import { confusionPart } from "./data/confusion.js";
import { histogramPart } from "./data/histogram.js";
import { rowsPart } from "./data/rows.js";
import { context, kept } from "./data/shared.js";
import { sufficiencyPart } from "./data/sufficiency.js";

const TABS = [
  ["rows", "Rows"],
  ["attributes", "Attributes of a position"],
  ["histogram", "Distances"],
  ["confusion", "Confusion"],
  ["sufficiency", "Sufficiency"],
];
const MAKERS = {
  rows: rowsPart,
  attributes: attributesPart,
  histogram: histogramPart,
  confusion: confusionPart,
  sufficiency: sufficiencyPart,
};

export async function show(main, first, go, signal) {
  const notice = notices({ again: () => draw(true) });
  const view = { go, signal, notice, state: withDefaults(first), sets: null };
  const tabs = tabLinks("Data", TABS);
  const body = h("div", { class: "stack" });
  const parts = {};
  let shown = null;
  const head = viewHead("Data", "The positions that machines learn from, with the attributes that describe them.");
  fill(main, head, tabs.element, notice.element, body);
  return {
    ready: draw(),
    update(next) {
      view.state = withDefaults(next);
      return draw();
    },
    leave() {
      for (const part of Object.values(parts)) part.leave?.();
    },
  };

  async function draw(afresh = false) {
    const { tab } = view.state;
    tabs.set(tab, (other) => href({ tab: other }, kept(view.state)));
    view.sets ??= (await notice.run(() => about()))?.attribute_sets;
    if (!view.sets || signal.aborted) return;
    parts[view.state.tab] ??= MAKERS[view.state.tab](context(view));
    const part = parts[view.state.tab];
    if (shown !== part) {
      notice.clear();
      fill(body, part.element);
      shown = part;
    }
    await part.draw(afresh);
  }
}

function withDefaults(state) {
  const tab = TABS.some(([key]) => key === state.tab) ? state.tab : "rows";
  const material = state.material ?? "KRvK";
  // krkopt is for rook against the bare king only.
  const set = state.set ?? (tab === "rows" && material === "KRvK" ? "krkopt" : "geometric");
  return {
    ...state,
    tab,
    material,
    set,
    turn: state.turn ?? "black",
    who: state.learner ? `learner=${state.learner}` : (state.player ?? "learner=cart"),
  };
}
