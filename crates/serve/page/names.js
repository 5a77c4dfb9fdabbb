/**
 * The names of attributes, such as kRoom <= 48, which researchers read and others do without. They are hidden until the
 * switch is turned on, which the browser remembers.
 */
import { check } from "/page/controls.js";
import { h } from "/page/dom.js";

const KEY = "lucena.names";
/** The class of the root element while names are shown. */
const SHOWN = "names-shown";

const root = document.documentElement;

try {
  root.classList.toggle(SHOWN, localStorage.getItem(KEY) === "shown");
} catch {
  // Storage may be forbidden; the names are hidden then.
}

/** The name and the value behind a sentence; null if there is none. @param {string} figures */
export function attributeName(figures) {
  return figures ? h("code", { class: "attribute-name" }, figures) : null;
}

/** The switch that shows all names. */
export function namesSwitch() {
  return check("Names of attributes", root.classList.contains(SHOWN), (yes) => {
    root.classList.toggle(SHOWN, yes);
    try {
      localStorage.setItem(KEY, yes ? "shown" : "hidden");
    } catch {
      // As above.
    }
  });
}

/** True while names are shown. */
export const areNamesShown = () => root.classList.contains(SHOWN);

/** Calls a function whenever names are shown or hidden. @param {function()} work @param {AbortSignal} signal ends it */
export function onNames(work, signal) {
  const observer = new MutationObserver(work);
  observer.observe(root, { attributeFilter: ["class"] });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}
