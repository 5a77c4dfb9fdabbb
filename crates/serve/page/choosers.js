/** Choosers that views share. */
import { about } from "/page/api.js";
import { fill, freshId, h } from "/page/dom.js";
import { sentence } from "/page/game.js";

export { endgameChooser, endgameLinks, endgameWords } from "/page/endgames.js";

/**
 * A label above a control, with small print below it.
 * @param {string} text @param {HTMLElement} control @param {string} [help]
 */
export function field(text, control, help) {
  control.id ||= freshId("field");
  const small = help && h("small", { id: freshId("help") }, help);
  if (small) control.setAttribute("aria-describedby", small.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, text), control, small);
}

/**
 * A select element of simple values.
 * @param {Array<string|[string, string]>} choices values, or values with their titles
 * @param {string} value @param {function(string)} onChange
 */
export function select(choices, value, onChange) {
  const options = choices.map((choice) => {
    const [name, title] = Array.isArray(choice) ? choice : [choice, choice];
    return h("option", { value: name, selected: name === value }, title);
  });
  return h("select", { onchange: (event) => onChange(event.target.value) }, options);
}

const KINDS = {
  tree: "Trees",
  strategy: "Strategies",
  measure: "Measures",
  table: "Tables",
  search: "Searches",
  trained: "Trained",
  random: "Others",
};

/**
 * A chooser for players. Players that /api/about does not list (another depth of a search) can be typed.
 * @param {{label?: string, value?: string, material?: string, filter?: function(Object): boolean,
 *   extra?: function(string): Array<{name: string, title: string, about?: string}>, other?: boolean, none?: string, onChange:
 *   function(string)}} options
 *   material hides players of other endgames; filter picks among /api/about's players; extra: the choices of an endgame that come first;
 *   other: true if any name may be typed (the default); none: the title of an empty choice
 * @returns {{element: HTMLElement, value: string, set: function(string, string=)}} set does not call onChange
 */
export function playerChooser({
  label = "Player",
  value = "",
  material,
  filter,
  extra = () => [],
  other = true,
  none,
  onChange,
}) {
  let players = [];
  let endgames = null;
  let typing = false;
  const list = h("select", {
    onchange: () => {
      const chosen = list.value;
      typing = chosen === OTHER;
      draw();
      if (typing) text.focus();
      else choose(chosen);
    },
  });
  const text = h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "search:depth=4",
    "aria-label": `${label}: its name`,
    hidden: true,
    onchange: () => text.value.trim() && choose(text.value.trim()),
  });
  const help = h("small");
  const element = field(label, list);
  element.append(text, help);

  function choose(name) {
    value = name;
    typing = false;
    draw();
    onChange(name);
  }

  function draw() {
    // The trees, strategies and measures of this build know some endgames, which the endgame lists.
    const knows = endgames?.find((one) => one.material === material)?.players;
    const fits = (player) => {
      if (filter && !filter(player)) return false;
      if (player.endgame) return !material || player.endgame === material;
      return !(player.tree || player.strategy || player.measure) || !knows || knows.includes(player.name);
    };
    const shown = players.filter(fits);
    const groups = Object.entries(KINDS).map(([kind, title]) => {
      const options = shown
        .filter((player) => (KINDS[player.kind] ? player.kind : "random") === kind)
        .map(option);
      return options.length ? h("optgroup", { label: title }, options) : null;
    });
    const own = extra(material);
    const listed =
      (value === "" && none !== undefined) || [...own, ...shown].some(({ name }) => name === value);
    fill(
      list,
      none !== undefined && h("option", { value: "" }, none),
      own.map(option),
      groups,
      !listed && value !== "" && option(players.find(({ name }) => name === value) ?? { name: value }),
      other && h("option", { value: OTHER }, "Another..."),
    );
    list.value = typing ? OTHER : value;
    text.hidden = !typing;
    const player = [...own, ...players].find(({ name }) => name === value);
    help.textContent = typing
      ? "Type its name as on the command line, then press Enter."
      : player?.about
        ? sentence(player.about)
        : "";
  }

  draw();
  about().then(
    (known) => {
      ({ players, endgames } = known);
      draw();
    },
    () => {},
  );
  return {
    element,
    get value() {
      return value;
    },
    set(name, endgame = material) {
      if (name === value && endgame === material && !typing) return;
      value = name ?? "";
      material = endgame;
      typing = false;
      draw();
    },
  };
}

const OTHER = "\n";
const option = ({ name, title }) => h("option", { value: name }, title ?? name);

/** The endgame of a player that knows only one. @param {string} name @returns {Promise<string|null>} */
export async function endgameOf(name) {
  const { players } = await about();
  return players.find((player) => player.name === name)?.endgame ?? null;
}
