/** Long lists, a page at a time. */
import { button, h } from "/page/dom.js";
import { count } from "/page/game.js";

/**
 * Buttons for the other pages of a long list.
 * @param {{offset: number, limit: number, found: number, word: string, onGo: function(number)}} options
 * @returns {HTMLElement|null} null if all fits on one page
 */
export function pager({ offset, limit, found, word, onGo }) {
  if (found <= limit && offset === 0) return null;
  const pages = Math.max(1, Math.ceil(found / limit));
  const page = Math.floor(offset / limit) + 1;
  const to = (n) => onGo((Math.max(1, Math.min(n, pages)) - 1) * limit);
  const number = h("input", {
    type: "number",
    min: 1,
    max: pages,
    value: page,
    class: "page-number",
    "aria-label": `Page, of ${pages}`,
    onchange: (event) => to(Math.round(Number(event.target.value)) || 1),
  });
  const step = (text, label, n, off) =>
    button(text, () => off || to(n), { "aria-label": label, "aria-disabled": String(off) });
  return h(
    "nav",
    { class: "row pager", "aria-label": `Pages of ${word}` },
    step("\u00ab", "First page", 1, page === 1),
    step("\u2039", "Page before", page - 1, page === 1),
    h("span", { class: "row page-of" }, "Page ", number, ` of ${pages.toLocaleString("en")}`),
    step("\u203a", "Next page", page + 1, page >= pages),
    step("\u00bb", "Last page", pages, page >= pages),
  );
}

/** "26 to 50 of 20,000 rules". */
export function range({ offset, shown, found, all, word }) {
  if (!found) return all ? `None of ${count(all, word)}.` : `No ${word}s.`;
  const of =
    found === all || all === undefined
      ? count(found, word)
      : `${found.toLocaleString("en")} found among ${count(all, word)}`;
  return shown >= found
    ? `${of}.`
    : `${(offset + 1).toLocaleString("en")} to ${(offset + shown).toLocaleString("en")} of ${of}.`;
}

/** A whole number above zero from a text, such as an offset in the address; otherwise 0. */
export function whole(text) {
  const n = Number(text);
  return Number.isInteger(n) && n > 0 ? n : 0;
}
