/** The values of all attributes in a position, shown on its board. */
import { latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { field, select } from "/page/choosers.js";
import { button, fill, h } from "/page/dom.js";
import { capital, position, START } from "/page/game.js";
import { legend } from "/page/legend.js";
import { range } from "/page/pages.js";
import { later, TYPING } from "/page/timing.js";

/** @param {Object} context see shared.js */
export function attributesPart(context) {
  const { go, notice, signal } = context;
  const ask = context.asker();
  const find = latest(signal);
  const set = context.setChooser();
  const place = h("div", { class: "board-place" });
  const board = new Board(place, {
    fen: context.state.fen ?? START,
    label: "The position",
    mode: "setup",
    onSetup: (fen) => go({ fen, moves: null, at: null, material: null }, { replace: true }),
  });
  const turn = select(
    [
      ["w", "White"],
      ["b", "Black"],
    ],
    "w",
    (side) => {
      const [men] = here.split(" ");
      go({ fen: `${men} ${side} - - 0 1`, moves: null, at: null }, { replace: true });
    },
  );
  const fen = h("input", {
    type: "text",
    class: "fen",
    spellcheck: "false",
    autocomplete: "off",
    onchange: () => fen.value.trim() && go({ fen: fen.value.trim(), moves: null, at: null, material: null }),
  });
  const typed = later((q) => go({ q }, { replace: true }), TYPING, signal);
  const search = h("input", {
    type: "search",
    value: context.state.q ?? "",
    placeholder: "king, edge, RBoxSize, ...",
    oninput: (event) => typed(event.target.value.trim()),
  });
  const keys = h("div");
  const found = h("p", { class: "small", role: "status" });
  const list = h("ul", { class: "attributes" });
  let here = START;
  let attributes = [];
  const element = h(
    "div",
    { class: "columns" },
    h(
      "div",
      { class: "side" },
      place,
      keys,
      h(
        "details",
        { open: !matchMedia("(max-width: 40rem)").matches },
        h("summary", {}, "To move, and FEN"),
        h("div", { class: "row" }, field("To move", turn), field("FEN", fen)),
      ),
    ),
    h(
      "section",
      { class: "panel", "aria-label": "Attributes" },
      h("div", { class: "row" }, set.element, field("Search", search)),
      h(
        "p",
        { class: "small" },
        "Point at an attribute to highlight on the board what it is about; ",
        "click to keep it. Men can be moved on the board.",
      ),
      found,
      list,
    ),
  );
  return { element, draw, leave: () => board.destroy() };

  async function draw(afresh) {
    set.set(context.state.set === "krkopt" ? "geometric" : context.state.set);
    if (document.activeElement !== search) search.value = context.state.q ?? "";
    const at = context.state.moves
      ? (await notice.run((options) => position(context.state, options, find)))?.fen
      : (context.state.fen ?? START);
    if (!at || signal.aborted) return;
    if (at !== here || afresh || board.fen.split(" ").slice(0, 2).join() !== at.split(" ").slice(0, 2).join())
      board.show({ fen: at });
    here = at;
    if (document.activeElement !== fen) fen.value = at;
    turn.value = at.split(" ")[1] === "b" ? "b" : "w";
    const answer = await ask(
      list,
      "/api/data/attributes",
      { fen: at, set: context.state.set === "krkopt" ? "geometric" : context.state.set },
      afresh,
    );
    if (signal.aborted) return;
    if (answer) attributes = answer.attributes;
    else if (notice.failed) attributes = [];
    drawList();
  }

  function drawList() {
    const words = (context.state.q ?? "").toLowerCase();
    const shownOnes = attributes.filter(
      (one) => !words || `${one.name} ${one.meaning} ${one.sentence}`.toLowerCase().includes(words),
    );
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    found.textContent = attributes.length
      ? range({
          offset: 0,
          shown: shownOnes.length,
          found: shownOnes.length,
          all: attributes.length,
          word: "attribute",
        })
      : "";
    fill(
      list,
      shownOnes.map((one) => {
        const pressed = context.state.attribute === one.name;
        const head = button("", () => go({ attribute: pressed ? null : one.name }, { replace: true }), {
          class: "attribute",
          "aria-pressed": String(pressed),
          "data-name": one.name,
        });
        fill(
          head,
          h("span", { class: "attribute-head" }, h("code", {}, one.name), h("b", {}, one.value)),
          h("span", {}, one.sentence),
          h("span", { class: "small" }, `${capital(one.meaning)}: ${one.low} to ${one.high}`),
        );
        head.addEventListener("pointerenter", () => light(one));
        head.addEventListener("focus", () => light(one));
        head.addEventListener("pointerleave", () => light(held()));
        head.addEventListener("blur", () => light(held()));
        return h("li", {}, head);
      }),
    );
    if (focused) list.querySelector(`[data-name="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    const one = focused ? attributes.find(({ name }) => name === focused) : null;
    light(one ?? held());
  }

  function held() {
    return attributes.find((one) => one.name === context.state.attribute) ?? null;
  }

  function light(one) {
    board.mark(one?.marks ?? []);
    fill(keys, one && legend(one.marks));
  }
}
