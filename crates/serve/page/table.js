/** Tables that scroll sideways in their own box. */
import { h } from "/page/dom.js";

/**
 * @param {{caption: string, columns: Array<string|{name: string, title?: string, number?: boolean}>,
 *   rows: Array<Array<*>>, hideCaption?: boolean, rowHeads?: boolean}} options
 *   a cell is a text, a number or a node; rowHeads: the first cell of each row is a heading
 * @returns {HTMLElement}
 */
export function table({ caption, columns, rows, hideCaption = false, rowHeads = false }) {
  const heads = columns.map((column) => (typeof column === "string" ? { name: column } : column));
  const cell = (value, i) =>
    h(
      rowHeads && i === 0 ? "th" : "td",
      {
        scope: rowHeads && i === 0 ? "row" : null,
        class: heads[i]?.number || typeof value === "number" ? "number" : null,
      },
      typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 4 }) : value,
    );
  return h(
    "div",
    { class: "table-scroll", role: "region", "aria-label": caption, tabindex: "0" },
    h(
      "table",
      {},
      h("caption", { class: hideCaption ? "unseen" : null }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) =>
            h("th", { scope: "col", title: head.title, class: head.number ? "number" : null }, head.name),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, row.map(cell))),
      ),
    ),
  );
}
