/** Rows: the positions of an endgame as learners see them. */
import { href, linkTo } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { field } from "/page/choosers.js";
import { button, fill, h } from "/page/dom.js";
import { sideToMove } from "/page/game.js";
import { pager, range, whole } from "/page/pages.js";
import { swatch } from "/page/scale.js";
import { kept } from "./shared.js";

/** The number of rows on a page. */
const PAGE = 50;

/** @param {Object} context see shared.js */
export function rowsPart(context) {
  const { go, notice, signal } = context;
  const ask = context.asker();
  const endgames = context.materialChooser();
  const set = context.setChooser(["krkopt"]);
  const classes = h("select", { onchange: () => go({ class: classes.value, from: null, row: null }) });
  const found = h("p", { class: "small", role: "status" });
  const box = h("div", { class: "rows-box" });
  const pages = h("div");
  const aside = h("aside", {
    class: "panel row-board",
    "aria-label": "The row's position",
    "aria-live": "polite",
  });
  let answer = null;
  let lines = [];
  const element = h(
    "div",
    { class: "with-board" },
    h(
      "section",
      { class: "panel", "aria-label": "Rows" },
      h("div", { class: "row" }, endgames.element, set.element, field("Class", classes)),
      h(
        "p",
        { class: "small" },
        "A row is a position with the weak side to move; it stands for all its mirror images. ",
        "Choose a row to show its board.",
      ),
      found,
      box,
      pages,
    ),
    aside,
  );
  return { element, draw };

  async function draw(afresh) {
    endgames.set(context.state.material);
    set.set(context.state.set);
    const query = {
      material: context.state.material,
      set: context.state.set,
      class: context.state.class,
      offset: whole(context.state.from),
      limit: PAGE,
    };
    const next = await ask(box, "/api/data/rows", query, afresh);
    if (signal.aborted) return;
    if (!next && notice.failed) return clear();
    if (next) {
      answer = next;
      drawTable();
    }
    drawChosen();
  }

  function clear() {
    fill(box);
    fill(pages);
    fill(aside, h("p", { class: "small" }, "No row is shown."));
    found.textContent = "";
  }

  function drawTable() {
    const { columns, rows, offset, all } = answer;
    fill(
      classes,
      h("option", { value: "" }, "All classes"),
      answer.classes.map(({ name, rows: n }) =>
        h("option", { value: name }, `${name} (${n.toLocaleString("en")})`),
      ),
    );
    classes.value = context.state.class ?? "";
    found.textContent = range({ offset, shown: rows.length, found: answer.found, all, word: "row" });
    lines = rows.map((row, i) => {
      const number = offset + i;
      const choose = () => go({ row: number + 1 }, { replace: true });
      const one = button((number + 1).toLocaleString("en"), choose, {
        class: "quiet row-number",
        "aria-pressed": "false",
        "aria-label": `Row ${number + 1}: show its board`,
      });
      return {
        number,
        row,
        one,
        element: h(
          "tr",
          { onclick: (event) => event.target.closest("button") || choose() },
          h("td", {}, one),
          row.values.map((value, i) => h("td", {}, i === row.values.length - 1 && swatch(value), value)),
        ),
      };
    });
    const caption = `Rows of ${context.state.material}, ${context.state.set}`;
    fill(
      box,
      h(
        "div",
        { class: "table-scroll data-rows", role: "region", "aria-label": caption, tabindex: "0" },
        h(
          "table",
          {},
          h("caption", { class: "unseen" }, caption),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, "Row"),
              columns.map((name) => h("th", { scope: "col" }, name)),
            ),
          ),
          h(
            "tbody",
            {},
            lines.map((line) => line.element),
          ),
        ),
      ),
    );
    box.onkeydown = (event) => {
      const at = lines.findIndex((line) => line.one === document.activeElement);
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
      if (at < 0 || to === undefined || !lines[to]) return;
      event.preventDefault();
      lines[to].one.focus();
    };
    fill(
      pages,
      pager({
        offset,
        limit: PAGE,
        found: answer.found,
        word: "rows",
        onGo: (from) => go({ from: from || null, row: null }),
      }),
    );
  }

  function drawChosen() {
    const chosen = lines.find((line) => String(line.number + 1) === context.state.row) ?? lines[0];
    for (const line of lines) {
      line.one.setAttribute("aria-pressed", String(line === chosen));
      line.element.classList.toggle("chosen", line === chosen);
    }
    if (!chosen) return void fill(aside, h("p", { class: "small" }, "No row is shown."));
    const { fen, values } = chosen.row;
    const key = `${fen} ${chosen.number} ${values.at(-1)}`;
    if (aside.dataset.key === key) return;
    aside.dataset.key = key;
    fill(
      aside,
      h("h2", {}, `Row ${(chosen.number + 1).toLocaleString("en")}: ${values.at(-1)}`),
      smallBoard(fen),
      h("p", { class: "example-words" }, sideToMove(fen)),
      h(
        "p",
        { class: "example-links" },
        h("a", { href: linkTo({ view: "explore", fen }) }, "Explore"),
        h(
          "a",
          {
            href: href(
              {
                tab: "attributes",
                fen,
                moves: null,
                at: null,
                set: context.state.set === "krkopt" ? null : context.state.set,
              },
              kept(context.state),
            ),
          },
          "Its attributes",
        ),
      ),
    );
  }
}
