/** The search in a picture of a tree: a field, and steps through the nodes that are found. */
import { latest } from "/page/api.js";
import { button, fill, h } from "/page/dom.js";
import { notices } from "/page/notice.js";
import { later, TYPING } from "/page/timing.js";

/** The most nodes that are stepped through. */
const MOST = 500;

/**
 * @param {{signal: AbortSignal, onGo: function(Object, Object=), onFound: function(Array), onStep:
 *   function({node: number, path: number[]}, number)}} options onGo changes the keys find and hit of the address;
 *   onFound is given all nodes that are found; onStep shows one of them, with its number among them
 */
export function finder({ signal, onGo, onFound, onStep }) {
  const ask = latest(signal);
  const notice = notices();
  let key = null;
  let found = null;
  let hit = 0;
  const typed = later((find) => onGo({ find, hit: null }, { replace: true }), TYPING, signal);
  const input = h("input", {
    type: "search",
    "aria-label": "Find nodes by an attribute, a value or a class",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "corner, rank 1, kRoom, draw, ...",
    oninput: () => typed(input.value.trim()),
    onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    },
  });
  const words = h("span", { class: "small", role: "status" });
  const before = button("\u2039", () => step(-1), { "aria-label": "Previous node found", class: "tool" });
  const after = button("\u203a", () => step(1), { "aria-label": "Next node found", class: "tool" });
  const element = h("div", { class: "row tree-find" }, input, before, after, words, notice.element);

  function step(by) {
    const all = found?.nodes ?? [];
    if (!all.length) return;
    const next = hit ? ((hit - 1 + by + all.length) % all.length) + 1 : by > 0 ? 1 : all.length;
    onStep(all[next - 1], next);
  }

  return {
    element,
    /** @param {{shown: {player: string, material: string}, find?: string, hit?: string}} state */
    async draw({ shown, find, hit: at }) {
      if (document.activeElement !== input) input.value = find ?? "";
      const { player, material } = shown;
      const next = find ? JSON.stringify([player, material, find]) : null;
      const isNew = next !== key;
      if (isNew) {
        key = next;
        found = null;
        hit = 0;
        if (find) {
          const query = { player, material, search: find, limit: MOST };
          found = (await notice.run((options) => ask("/api/tree/search", query, options))) ?? null;
          if (key !== next || signal.aborted) return;
        }
      }
      const all = found?.nodes ?? [];
      const wanted = Math.min(Math.max(0, Math.trunc(Number(at) || 0)), all.length);
      hit = wanted;
      for (const one of [before, after]) one.setAttribute("aria-disabled", String(!all.length));
      fill(
        words,
        !find || !found
          ? ""
          : !found.found
            ? "No node matches."
            : hit
              ? `Node ${hit.toLocaleString("en")} of ${found.found.toLocaleString("en")} found.`
              : `${found.found.toLocaleString("en")} of ${found.all.toLocaleString("en")} nodes found: press Enter to go to the first.`,
      );
      if (isNew) onFound(all);
    },
  };
}
