/** For authors of chess programs: a player as source code, and as an engine that speaks UCI. */
import { get } from "/page/api.js";
import { copyButton } from "/page/controls.js";
import { field, select } from "/page/choosers.js";
import { button, fill, h } from "/page/dom.js";
import { notices } from "/page/notice.js";

const LANGUAGES = [
  ["c", "C"],
  ["rust", "Rust"],
  ["javascript", "JavaScript"],
  ["python", "Python"],
];
/** Source code longer than this is cut off on the page; the file and the copy have all of it. */
const LONGEST = 20000;

/** The part of each view that has one. */
const parts = new WeakMap();

/**
 * Shows the code of a player at the end of a view.
 * @param {HTMLElement} main the view @param {{player: string, material: string}} state @param {AbortSignal} signal
 */
export function showSource(main, state, signal) {
  const part = parts.get(main) ?? sourcePart(signal);
  if (!parts.has(main)) main.append(part.element);
  parts.set(main, part);
  part.set(state);
}

function sourcePart(signal) {
  let state = { player: "theory", material: "KRvK" };
  let code = null; // the answer that is shown
  const notice = notices({ again: () => draw() });
  const language = select(LANGUAGES, "c", () => draw());
  const size = h("p", { class: "small", role: "status" });
  const text = h("pre", { class: "code source-code", tabindex: "0", "aria-label": "Source code" });
  const save = button("Save", () => download(code.file, code.source));
  const copy = copyButton(() => code.source, "Copy the code");
  const shown = h("div", { class: "stack" }, size, text, h("div", { class: "row" }, save, copy));
  const command = h("code", {});
  const element = h(
    "details",
    { class: "panel", ontoggle: () => element.open && draw() },
    h("summary", {}, "For authors of chess programs"),
    h(
      "div",
      { class: "stack" },
      h("h2", {}, "As an engine"),
      h(
        "p",
        {},
        "This command is an engine that speaks UCI. Choose it where a chess program asks for an engine.",
      ),
      h(
        "div",
        { class: "row code-row" },
        h("pre", { class: "code" }, command),
        copyButton(() => command.textContent, "Copy the command"),
      ),
      h(
        "p",
        { class: "small" },
        "If the program asks for a file, give it the file lucena, and put the rest of the line into its field for arguments. ",
        "You can also leave the rest out and set the engine's option Player.",
      ),
      h("h2", {}, "As source code"),
      h(
        "p",
        {},
        "The code has no dependencies. A tree maps attributes of a position to a class; a strategy and a measure map the squares of the pieces to moves.",
      ),
      h("div", { class: "row" }, field("Language", language)),
      notice.element,
      shown,
    ),
  );

  async function draw() {
    const { player, material } = state;
    // A name with a space or another sign of the shell is quoted.
    command.textContent = `lucena uci --player ${/^[\w:.,/=+-]+$/.test(player) ? player : `'${player}'`}`;
    if (!element.open) return;
    const query = { player, material, language: language.value };
    code = null;
    shown.hidden = true;
    const found = await notice.run((options) => get("/api/source", query, { ...options, signal }));
    if (!found || player !== state.player || material !== state.material || query.language !== language.value)
      return;
    code = found;
    const lines = found.source.split("\n").length - 1;
    const cut = found.source.length > LONGEST;
    size.textContent = `${found.file}, ${lines.toLocaleString("en")} lines${cut ? ". The beginning is shown here" : ""}.`;
    fill(text, cut ? `${found.source.slice(0, LONGEST)}\n...` : found.source);
    shown.hidden = false;
  }

  return {
    element,
    set({ player, material }) {
      if (player === state.player && material === state.material && command.textContent) return;
      state = { player, material };
      draw();
    },
  };
}

function download(name, content) {
  const url = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
