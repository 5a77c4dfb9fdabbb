/** Controls that the views on trees, games, experiments and data have in common. */
import { href } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { button, h } from "/page/dom.js";
import { count } from "/page/game.js";
import { about } from "/page/api.js";

/** The seconds of typing after which a question is asked. */
export const TYPING = 300;

/**
 * A function that runs when it has not been called for a while.
 * @param {function} work @param {number} milliseconds @param {AbortSignal} [signal] calls it off
 */
export function later(work, milliseconds, signal) {
  let timer = 0;
  signal?.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return (...values) => {
    clearTimeout(timer);
    if (!signal?.aborted) timer = setTimeout(() => work(...values), milliseconds);
  };
}

/** Waits. @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function wait(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new DOMException("called off", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** The address of a view that shows one position. @param {Object} changes */
export const linkTo = (changes) => href({ moves: null, at: null, ...changes });

/**
 * Boards in a list, each with links that go on from there.
 * @param {Array<{fen: string, says?: string, marks?: Array}>} boards
 * @param {{player?: string, material?: string, label?: string}} [options]
 */
export function boardList(boards, { player, material, label = "Examples" } = {}) {
  return h(
    "ul",
    { class: "boards examples", "aria-label": label },
    boards.map(({ fen, says, marks }, i) => {
      const shared = { fen, player, material };
      const which = boards.length > 1 ? h("span", { class: "unseen" }, ` (board ${i + 1})`) : null;
      return h(
        "li",
        {},
        smallBoard(fen, { marks }),
        h("p", { class: "example-words" }, sideToMove(fen), says ? `, ${says}` : ""),
        h(
          "p",
          { class: "example-links" },
          h("a", { href: linkTo({ view: "explore", ...shared }) }, "Explore", which?.cloneNode(true)),
          h("a", { href: linkTo({ view: "arena", ...shared, ...opponents(fen) }) }, "Play from here", which),
        ),
      );
    }),
  );
}

/** A human with the side named first in the endgame, which is White's in all examples. */
const opponents = () => ({ white: "human", black: "tablebase" });

/** "White to move". @param {string} fen */
export const sideToMove = (fen) => (fen.split(" ")[1] === "b" ? "Black to move" : "White to move");

/**
 * Buttons to the other pages of a long list.
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

/**
 * Tabs within a view: links, so that each has its address.
 * @param {string} label @param {Array<[string, string]>} tabs keys with titles @param {string} chosen
 * @param {Object} state
 */
export function tabLinks(label, tabs, chosen, state) {
  return h(
    "nav",
    { class: "tabs", "aria-label": label },
    tabs.map(([key, title]) =>
      h("a", { href: href({ tab: key }, state), "aria-current": key === chosen ? "page" : null }, title),
    ),
  );
}

/** A check box with its label. */
export function check(text, checked, onChange, attributes) {
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked,
      onchange: (event) => onChange(event.target.checked),
      ...attributes,
    }),
    text,
  );
}

/** The endgame of a player that knows one alone. @param {string} name @returns {Promise<string|null>} */
export async function endgameOf(name) {
  const { players } = await about();
  return players.find((player) => player.name === name)?.endgame ?? null;
}

/** Colours an element by the place of `name` among `names`. Words beside it always say the same. */
export function tint(element, name, names) {
  const at = names.indexOf(name);
  if (at >= 0) element.style.setProperty("--hue", String(Math.round((at * 222.5 + 150) % 360)));
  return element;
}

/** Text to the clipboard, and a button that does it. @param {function(): string} text */
export function copyButton(text, label = "Copy") {
  const one = button(
    label,
    async () => {
      try {
        await navigator.clipboard.writeText(text());
        one.textContent = "Copied";
      } catch {
        one.textContent = "Not copied: the browser forbids it";
      }
      setTimeout(() => (one.textContent = label), 1500);
    },
    { class: "copy" },
  );
  return one;
}
