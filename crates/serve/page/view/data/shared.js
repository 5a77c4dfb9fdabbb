/** What the parts of the view of data share. */
import { latest } from "/page/api.js";
import { endgameChooser, field, select } from "/page/choosers.js";
import { h } from "/page/dom.js";

/**
 * @param {{go: function, signal: AbortSignal, notice: Object, state: Object, sets: string[]}} view state is the current
 *   state, and sets are the sets of attributes
 */
export function context(view) {
  const { go, signal, notice } = view;
  return {
    go,
    signal,
    notice,
    get state() {
      return view.state;
    },
    /** Creates a function that sends a request unless it equals the previous one. */
    asker() {
      const ask = latest(signal);
      let key = null;
      return async (place, path, query, afresh) => {
        const next = JSON.stringify([path, query]);
        if (next === key && !afresh) return null;
        place.setAttribute("aria-busy", "true");
        const answer = await notice.run((options) => ask(path, query, options));
        place.removeAttribute("aria-busy");
        key = answer ? next : null;
        return answer ?? null;
      };
    },
    materialChooser() {
      return endgameChooser({
        value: view.state.material,
        onChange: (material) =>
          go({
            material,
            class: null,
            from: null,
            row: null,
            bar: null,
            cell: null,
            boards: null,
            player: null,
          }),
      });
    },
    setChooser(extra = []) {
      const box = select([...extra, ...view.sets], view.state.set, (set) =>
        go({ set, class: null, from: null, row: null, cell: null, boards: null }),
      );
      return { element: field("Attributes", box), set: (value) => (box.value = value) };
    },
  };
}

export function fact(term, value) {
  return h("div", {}, h("dt", {}, term), h("dd", {}, value.toLocaleString("en")));
}

/** The state that all tabs share. */
export const kept = ({ view, fen, moves, at, player, material, set }) => ({
  view,
  fen,
  moves,
  at,
  player,
  material,
  set,
});
