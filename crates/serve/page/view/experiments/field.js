/** A field of an experiment's form: its control, its explanation, its default and its error. */
import { endgameChooser, field, playerChooser, select } from "/page/choosers.js";
import { check } from "/page/controls.js";
import { fill, freshId, h } from "/page/dom.js";
import { sentence } from "/page/game.js";

/** The value for whole games in the chooser of what to learn. */
const CHESS = "chess";

/** The one who reads the page, as an opponent. */
const YOU = { name: "human", title: "You, at the board" };

/** The steps of a slider from its least to its greatest number. */
const STEPS = 1000;

/**
 * @param {Object} one a field as /api/experiments describes it
 * @param {{given: string|undefined, material: string, onChange: function(string|undefined, boolean)}} options
 *   given: the value, undefined for the default; onChange gets the new one, and whether it is being typed
 * @returns {{element: HTMLElement, update: function(Object|undefined), setMaterial: function(string),
 *   focus: function()}} update takes the field's state as /api/command tells it, undefined if it does not apply
 */
export function formField(one, { given, material, onChange }) {
  let value = given;
  let usual = one.default ?? "";
  const set = (next, isTyped = false) => {
    value = next === "" || next === usual ? undefined : next;
    onChange(value, isTyped);
  };
  const control = controlOf(one, { value: value ?? usual, material, set });
  const { element } = control;
  const help = one.help && h("small", { id: freshId("help") }, one.help);
  const problem = h("p", { class: "field-error", id: freshId("error"), role: "alert", hidden: true });
  if (help) element.append(help);
  element.append(problem);
  element.dataset.field = one.name;
  describe(false);

  function describe(isWrong) {
    const ids = [help && help.id, isWrong && problem.id].filter(Boolean).join(" ");
    const described = element.matches("fieldset") ? [element, ...control.inputs()] : control.inputs();
    for (const input of described) {
      if (ids) input.setAttribute("aria-describedby", ids);
      else input.removeAttribute("aria-describedby");
      if (isWrong && input !== element) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
  }

  return {
    element,
    update(state) {
      element.hidden = !state;
      if (!state) return;
      usual = state.default ?? "";
      control.show(value ?? usual, usual);
      const isWrong = Boolean(state.error);
      describe(isWrong);
      problem.hidden = !isWrong;
      const text = isWrong ? sentence(state.error) : "";
      if (problem.textContent !== text) problem.textContent = text;
    },
    setMaterial: (endgame) => control.setMaterial?.(endgame),
    focus: () => control.inputs()[0]?.focus(),
  };
}

/**
 * The control of a field's kind.
 * @returns {{element: HTMLElement, inputs: function(): HTMLElement[], show: function(string, string),
 *   setMaterial: function(string)|undefined}} show takes the value and the default
 */
function controlOf(one, { value, material, set }) {
  const { label, kind } = one;
  const first = (element) => () => [element.querySelector("select, input")];
  switch (kind) {
    case "material": {
      const chooser = endgameChooser({ label, value, onChange: set });
      return { element: chooser.element, inputs: first(chooser.element), show: (next) => chooser.set(next) };
    }
    case "subject": {
      const asChoice = (name) => (name === CHESS ? "" : name);
      const chooser = endgameChooser({
        label,
        value: asChoice(value),
        none: "chess - whole games",
        onChange: (name) => set(name || CHESS),
      });
      const show = (next) => chooser.set(asChoice(next));
      return { element: chooser.element, inputs: first(chooser.element), show };
    }
    case "opponent":
    case "player": {
      const extra = kind === "opponent" ? [YOU] : [];
      const chooser = playerChooser({ label, value, material, extra: () => extra, onChange: set });
      return {
        element: chooser.element,
        inputs: first(chooser.element),
        show: (next) => chooser.set(next),
        setMaterial: (endgame) => chooser.set(chooser.value, endgame),
      };
    }
    case "flag": {
      const box = check(label, value === "true", (yes) => set(String(yes)));
      const input = box.querySelector("input");
      const show = (next) => (input.checked = next === "true");
      return { element: h("div", { class: "field" }, box), inputs: () => [input], show };
    }
  }
  if (kind === "list" && one.choices) return checkList(one, value, set);
  if (one.choices) {
    const list = select(
      one.choices.map((choice, i) => [choice, one.labels?.[i] ?? choice]),
      value,
      set,
    );
    return { element: field(label, list), inputs: () => [list], show: (next) => (list.value = next) };
  }
  return textInput(one, value, set);
}

/** A box to check for each choice. The order in which they are checked is that of the list. */
function checkList({ label, choices, labels }, value, set) {
  let chosen = [];
  const boxes = choices.map((choice, i) =>
    check(labels?.[i] ?? choice, false, (yes) => {
      const others = chosen.filter((other) => other !== choice);
      // An empty list is told from a missing one by its comma.
      set((yes ? [...others, choice] : others).join(",") || ",");
    }),
  );
  const inputs = boxes.map((box) => box.querySelector("input"));
  const show = (next) => {
    chosen = next.split(",").filter(Boolean);
    for (const [i, input] of inputs.entries()) input.checked = chosen.includes(choices[i]);
  };
  show(value);
  const element = h("fieldset", { class: "field" }, h("legend", {}, label), h("div", { class: "checks" }, boxes));
  return { element, inputs: () => inputs, show };
}

/** A field to type in. An empty one has its default again as soon as it is left. */
function textInput(one, value, set) {
  const slider = one.range && sliderOf(one, (next) => set((input.value = next), true));
  const input = h("input", {
    type: "text",
    inputmode: { integer: "numeric", number: "decimal" }[one.kind] ?? null,
    value,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => {
      slider?.show(input.value.trim());
      set(input.value.trim(), true);
    },
    onblur: () => input.value.trim() === "" && show("", usual),
  });
  let usual = value;
  function show(next, fallback) {
    usual = fallback;
    input.placeholder = fallback || (one.empty ?? "");
    if (document.activeElement !== input) input.value = next || fallback;
    slider?.show(input.value.trim() || fallback);
  }
  const element = field(one.label, input);
  if (slider) input.after(slider.element);
  return { element, inputs: () => [input], show };
}

/** A slider beside a field of numbers. */
function sliderOf({ label, range: [min, max] }, onMove) {
  const step = (max - min) / STEPS;
  const slider = h("input", {
    type: "range",
    min,
    max,
    step,
    "aria-label": `${label}, as a slider`,
    oninput: () => onMove(String(Number(slider.value))),
  });
  const show = (text) => {
    const number = Number(text);
    if (text !== "" && Number.isFinite(number)) slider.value = number;
  };
  return { element: slider, show };
}

/** Words for the fields that are wrong. @param {string[]} labels */
export function wrongFields(labels) {
  const quoted = labels.map((label) => `“${label}”`);
  const last = quoted.pop();
  const list = quoted.length ? `${quoted.join(", ")} and ${last}` : last;
  return `It can start once ${list} ${quoted.length ? "are" : "is"} corrected.`;
}

/** Puts a text into an element that is announced. @param {HTMLElement} element @param {string} text */
export function tell(element, text) {
  element.hidden = !text;
  if (element.textContent !== text) fill(element, text);
}
