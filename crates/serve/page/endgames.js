/** Endgames: their names in words, their groups, and a field that finds one by typing. */
import { about } from "/page/api.js";
import { fill, freshId, h } from "/page/dom.js";
import { capital } from "/page/game.js";
import { lessonOn } from "/page/lessons.js";

const MEN = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

/** `KRvK` in words: "rook against the bare king". @param {string} material */
export function endgameWords(material) {
  const [strong, weak] = material.split("v").map((side) => side.slice(1));
  return `${sideWords(strong)} against ${weak ? sideWords(weak) : "the bare king"}`;
}

function sideWords(men) {
  if (!men) return "king";
  const counts = new Map();
  for (const man of men) counts.set(man, (counts.get(man) ?? 0) + 1);
  return [...counts].map(([man, n]) => (n > 1 ? `two ${MEN[man]}s` : MEN[man])).join(" and ");
}

const size = (material) => material.length - 1;
const hasPawn = (material) => material.includes("P");
const isBare = (material) => material.endsWith("vK");

/** An endgame in words, as the title of a link: against the bare king, only the strong side's men. */
const titleOf = (material) => capital(endgameWords(material).replace(" against the bare king", ""));

/**
 * Links to some endgames, in a row that scrolls sideways on a narrow screen.
 * @param {string} label
 * @returns {{element: HTMLElement, set: function(Array<{material: string, href: string, about?: string, says?: Array}>,
 *   string)}} set takes the endgames, each with its title and small print, and the one that is shown
 */
export function endgameLinks(label) {
  const element = h("nav", { class: "endgames", "aria-label": label });
  return {
    element,
    set(entries, current) {
      const focused = element.contains(document.activeElement) ? document.activeElement.dataset.of : null;
      fill(
        element,
        entries.map(({ material, href, about: title, says }) =>
          h(
            "a",
            {
              href,
              "aria-current": material === current ? "true" : null,
              "data-of": material,
              title: title ? `${material}: ${title}` : material,
            },
            h("b", {}, titleOf(material)),
            says,
          ),
        ),
      );
      const chosen = element.querySelector("[aria-current]");
      if (chosen) element.scrollLeft = chosen.offsetLeft - (element.clientWidth - chosen.offsetWidth) / 2;
      if (focused) element.querySelector(`[data-of="${focused}"]`)?.focus({ preventScroll: true });
    },
  };
}

/** The groups, in order: each endgame belongs to the first that it fits. */
const GROUPS = [
  ["King and at most one piece against king", (material) => size(material) <= 3],
  ["Five pieces", (material) => size(material) >= 5],
  ["With pawns", hasPawn],
  ["Two pieces against king", isBare],
  ["Piece against piece", () => true],
];
/** The order in which the groups are shown. */
const SHOWN = [0, 3, 4, 2, 1];

/**
 * @param {string[]} materials
 * @returns {Array<{title: string, materials: string[]}>} groups that are not empty
 */
export function groupsOf(materials) {
  const groups = GROUPS.map(([title]) => ({ title, materials: [] }));
  for (const material of materials)
    groups[GROUPS.findIndex(([, fits]) => fits(material))].materials.push(material);
  return SHOWN.map((at) => groups[at]).filter((group) => group.materials.length);
}

/** Words that say nothing about the men. */
const FILLERS = new Set(["v", "vs", "against", "and", "the", "a", "an", "with"]);

/**
 * True if a typed text means an endgame: `krk`, `KR v K`, `knbk`, "rook", "two bishops", "lucena".
 * @param {string} material @param {string} typed
 */
export function isFound(material, typed) {
  const text = typed.toLowerCase();
  const letters = text.replaceAll(/[^a-z]/g, "");
  if (!letters) return true;
  if (codesOf(material).some((code) => code.startsWith(sidesOf(letters)))) return true;
  const names = lessonOn(material)?.names ?? [];
  const known = [endgameWords(material), "king", ...names].join(" ").split(" ");
  const asked = text.split(/[^a-z]+/).filter((word) => word && !FILLERS.has(word));
  return asked.length > 0 && asked.every((word) => known.some((one) => one.startsWith(word)));
}

/** A code without the v, with the men of each side in one order, so that KNBK is KBNK. */
function sidesOf(letters) {
  const code = letters.replaceAll("v", "");
  if (!/^k[kqrbnp]*$/.test(code)) return letters;
  return code.replaceAll(/[qrbnp]+/g, (men) =>
    [...men].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).join(""),
  );
}

const ORDER = "qrbnp";

/** The code of an endgame, and the same with the sides exchanged. */
function codesOf(material) {
  const [strong, weak] = material.toLowerCase().split("v");
  return [strong + weak, weak + strong];
}

/**
 * A chooser for endgames: a field that finds them by typing, with the list in groups below it.
 * @param {{label?: string, value?: string, filter?: function(Object): boolean, also?: function(Object): string[],
 *   none?: string, onChange: function(string)}} options filter picks among /api/about's endgames; also adds endgames
 *   that its answer lists elsewhere; none: the title of an empty choice
 * @returns {{element: HTMLElement, value: string, set: function(string)}} set does not call onChange
 */
export function endgameChooser({ label = "Endgame", value = "", filter, also, none, onChange }) {
  let materials = [];
  let options = []; // the options on the list, in order
  let active = -1;
  const listId = freshId("endgames");
  const input = h("input", {
    type: "text",
    id: freshId("field"),
    role: "combobox",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    placeholder: "krk, rook, two bishops",
    "aria-autocomplete": "list",
    "aria-controls": listId,
    "aria-expanded": "false",
  });
  const list = h("div", {
    id: listId,
    class: "combo-list",
    role: "listbox",
    "aria-label": label,
    hidden: true,
  });
  const said = h("span", { class: "unseen", role: "status" });
  const box = h("div", { class: "combo" }, input, list, said);
  const element = h("div", { class: "field wide" }, h("label", { for: input.id }, label), box);

  const nameOf = (material) => (material ? `${material} - ${endgameWords(material)}` : (none ?? ""));
  const isOpen = () => !list.hidden;

  function open(typed = "") {
    const found = materials.filter((material) => isFound(material, typed));
    const exact = found.filter((material) =>
      codesOf(material).includes(sidesOf(typed.toLowerCase().replaceAll(/[^a-z]/g, ""))),
    );
    options = [];
    const option = (material) => {
      const one = h(
        "div",
        {
          role: "option",
          id: `${listId}-${options.length}`,
          "aria-selected": String(material === value),
          "data-material": material,
          // The focus stays in the field.
          onmousedown: (event) => event.preventDefault(),
          onclick: () => choose(material),
        },
        material ? [h("b", {}, material), " ", endgameWords(material)] : none,
      );
      options.push(one);
      return one;
    };
    fill(
      list,
      none?.toLowerCase().includes(typed.toLowerCase()) && option(""),
      groupsOf(found).map(({ title, materials: group }) => {
        const id = freshId("group");
        return h(
          "div",
          { role: "group", "aria-labelledby": id },
          h("div", { id, class: "combo-group" }, title),
          group.map(option),
        );
      }),
      options.length === 0 &&
        h("div", { role: "option", "aria-disabled": "true", class: "combo-none" }, "No such endgame"),
    );
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    list.scrollIntoView({ block: "nearest" });
    if (typed) said.textContent = options.length === 1 ? "1 endgame" : `${options.length} endgames`;
    const best = exact[0] ?? (typed ? (found[0] ?? "") : value);
    point(options.findIndex((one) => one.dataset.material === best));
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    said.textContent = "";
  }

  function point(at) {
    options[active]?.classList.remove("pointed");
    active = at;
    const one = options[at];
    if (!one) return input.removeAttribute("aria-activedescendant");
    one.classList.add("pointed");
    input.setAttribute("aria-activedescendant", one.id);
    // Within the list alone: the page stays where it is.
    const top = one.offsetTop - list.clientHeight / 2;
    if (
      one.offsetTop < list.scrollTop ||
      one.offsetTop + one.offsetHeight > list.scrollTop + list.clientHeight
    )
      list.scrollTop = top;
  }

  function choose(material) {
    close();
    const isNew = material !== value;
    value = material;
    show();
    if (isNew) onChange(value);
  }

  function show() {
    input.value = nameOf(value);
  }

  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => {
    if (!isOpen()) open();
  });
  input.addEventListener("input", () => open(input.value));
  input.addEventListener("blur", () => {
    close();
    show();
  });
  input.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.isComposing) return;
    const last = options.length - 1;
    const { key } = event;
    if (key === "Escape") {
      if (!isOpen()) return;
      close();
      show();
      input.select();
    } else if (key === "Enter") {
      if (!isOpen()) return;
      if (options[active]) choose(options[active].dataset.material);
    } else if (key === "ArrowDown" || key === "ArrowUp") {
      if (!isOpen()) open();
      else if (event.altKey) close();
      else if (key === "ArrowDown") point(active >= last ? 0 : active + 1);
      else point(active <= 0 ? last : active - 1);
    } else if ((key === "PageDown" || key === "PageUp") && isOpen()) {
      point(Math.max(0, Math.min(last, active + (key === "PageDown" ? 8 : -8))));
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  show();
  about().then(
    (known) => {
      const listed = known.endgames.filter((endgame) => !filter || filter(endgame));
      materials = [...new Set(listed.map(({ material }) => material).concat(also?.(known) ?? []))];
    },
    () => {},
  );
  return {
    element,
    get value() {
      return value;
    },
    set(material) {
      value = material ?? "";
      if (!isOpen()) show();
    },
  };
}
