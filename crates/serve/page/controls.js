/** Small controls that views share. */
import { button, fill, h } from "/page/dom.js";
import { icon } from "/page/icons.js";

/** The name of a view and what it is for. @param {string} name @param {string} purpose one or two sentences */
export function viewHead(name, purpose) {
  return h("div", { class: "view-head" }, h("h1", {}, name), h("p", {}, purpose));
}

/**
 * Tabs within a view: links, so that each has an address.
 * @param {string} label @param {Array<[string, string]>} tabs keys with titles
 * @returns {{element: HTMLElement, set: function(string|null, function(string): string)}} set: the chosen
 *   tab, and the address of each
 */
export function tabLinks(label, tabs) {
  const links = tabs.map(([, title]) => h("a", {}, title));
  const element = h("nav", { class: "tabs", "aria-label": label }, links);
  return {
    element,
    // The links are reused, so that the focus stays.
    set(chosen, addressOf) {
      for (const [i, [key]] of tabs.entries()) {
        links[i].href = addressOf(key);
        if (key === chosen) links[i].setAttribute("aria-current", "page");
        else links[i].removeAttribute("aria-current");
      }
      // If the tabs scroll, the chosen one is brought into view.
      const current = element.querySelector("[aria-current]");
      if (current) element.scrollLeft = current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2;
    },
  };
}

/** A checkbox with its label. */
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

/**
 * A button with a drawing in place of words, for tools beside a board.
 * @param {string} name of icons.js @param {string} label @param {function} onclick @param {Object<string, *>} [attributes]
 */
export const iconButton = (name, label, onclick, attributes) =>
  fill(button("", onclick, { class: "tool", "aria-label": label, title: label, ...attributes }), icon(name));

/** A button that copies text to the clipboard. @param {function(): string} text */
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
