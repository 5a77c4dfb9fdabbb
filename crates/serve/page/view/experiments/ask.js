/** Questions in the page: a confirmation, and a name. Only one stands in a place at a time. */
import { field } from "/page/choosers.js";
import { button, fill, h } from "/page/dom.js";

/**
 * Asks whether to go on.
 * @param {HTMLElement} place is filled, and emptied again
 * @param {{question: string, yes: string, onYes: function(), back: HTMLElement}} options back: gets the focus afterwards
 */
export function confirmation(place, { question, yes, onYes, back }) {
  const close = () => {
    fill(place);
    back.focus();
  };
  const no = button("Keep it", close);
  fill(
    place,
    h(
      "div",
      { class: "notice row", role: "group", "aria-label": question },
      h("p", {}, question),
      button(
        yes,
        () => {
          close();
          onYes();
        },
        { class: "danger" },
      ),
      no,
    ),
  );
  no.focus();
}

/**
 * Asks for a name.
 * @param {HTMLElement} place is filled, and emptied again
 * @param {{label: string, value: string, submit: string, back: HTMLElement, onName: function(string):
 *   Promise<boolean>}} options onName: answers whether the name was taken
 */
export function nameForm(place, { label, value, submit, back, onName }) {
  const input = h("input", { type: "text", value, maxlength: 80, required: true, autocomplete: "off" });
  const close = () => {
    fill(place);
    back.focus();
  };
  fill(
    place,
    h(
      "form",
      {
        class: "row notice",
        onsubmit: async (event) => {
          event.preventDefault();
          if (input.value.trim() && (await onName(input.value.trim()))) close();
        },
      },
      field(label, input, "At most 80 characters."),
      h("button", { type: "submit" }, submit),
      button("Cancel", close),
    ),
  );
  input.focus();
  input.select();
}
