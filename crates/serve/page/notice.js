/** Progress bars and error boxes of views. */
import { BACK, isAbort } from "/page/api.js";
import { button, fill, h } from "/page/dom.js";
import { capital, sentence } from "/page/game.js";

/**
 * An error box.
 * @param {Error|string} error the message of an ApiError is shown as it is
 * @param {function()} [again] adds a button "Try again", unless a retry cannot help
 */
export function errorBox(error, again) {
  const text = typeof error === "string" ? error : error?.message || "Something went wrong.";
  // The same request would fail again.
  const isFinal = [400, 404, 409, 413].includes(error?.status);
  return h(
    "div",
    { class: "error", role: "alert" },
    h("p", {}, sentence(text)),
    again && !isFinal && button("Try again", again),
  );
}

/**
 * A progress bar, hidden unless work is going on.
 * @returns {{element: HTMLElement, show: function({what: string, done: number, total: number|null}|null)}}
 */
export function progressBar() {
  const words = h("span", { class: "small" });
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const element = h("div", { class: "progress", role: "status", hidden: true }, words, bar);
  return {
    element,
    show(progress) {
      element.hidden = !progress;
      if (!progress) return;
      const { what, done, total } = progress;
      const text = total
        ? `${capital(what)}: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}`
        : `${capital(what)}...`;
      if (words.textContent !== text) words.textContent = text;
      bar.setAttribute("aria-label", capital(what));
      if (total) bar.value = done / total;
      else bar.removeAttribute("value");
    },
  };
}

/** The offer to solve an endgame: its module is loaded when it is needed. */
function offer(unsolved, again) {
  const place = h("section", { class: "solve-offer", "aria-label": "An endgame to solve" });
  import("/page/solve.js").then(({ offerToSolve }) => offerToSolve(place, unsolved, again));
  return place;
}

/**
 * The place of a view's progress bar and error box:
 *
 *   const notice = notices();  main.append(notice.element);
 *   const answer = await notice.run((options) => ask("/api/position", { fen }, options));
 *
 * `run` shows the bar while a table is solved, and errors, with a button "Try again" if `again` is given.
 * It returns undefined after an error or an abort.
 * @param {{again?: function()}} [options]
 */
export function notices({ again } = {}) {
  const bar = progressBar();
  const box = h("div");
  const element = h("div", { class: "notices" }, bar.element, box);
  let latest = 0;
  return {
    element,
    /** True while an error is shown, or the offer to solve what is missing. */
    get failed() {
      return box.hasChildNodes();
    },
    clear() {
      bar.show(null);
      fill(box);
    },
    show(error) {
      fill(box, error?.unsolved ? offer(error.unsolved, again) : errorBox(error, again));
    },
    async run(work, options = {}) {
      const mine = ++latest;
      const onProgress = (progress) => mine === latest && bar.show(progress);
      try {
        const answer = await work({ ...options, onProgress });
        if (mine === latest) this.clear();
        return answer;
      } catch (error) {
        if (isAbort(error)) return undefined;
        if (mine !== latest) return undefined;
        bar.show(null);
        // The shell says that the server is gone. What is on the page stays, and the request is made again afterwards.
        if (error?.status === 0) {
          if (again)
            addEventListener(BACK, () => mine === latest && element.isConnected && again(), { once: true });
          return undefined;
        }
        if (!(error?.name === "ApiError")) console.error(error);
        this.show(error);
        return undefined;
      }
    },
  };
}
