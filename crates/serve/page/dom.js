/** Makes elements. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. Functions in `on...` attributes are event listeners; true sets and false omits an
 * attribute; `value` and the like are set as properties. Children are nodes or texts; null and false are
 * left out.
 * @param {string} tag "svg:circle" creates an SVG element
 * @param {Object<string, *>} [attributes]
 * @param {...*} children
 * @returns {HTMLElement|SVGElement}
 */
export function h(tag, attributes, ...children) {
  const element = tag.startsWith("svg:")
    ? document.createElementNS(SVG, tag.slice(4))
    : document.createElement(tag);
  fill(element, ...children);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value ?? "";
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  return element;
}

const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "indeterminate", "hidden"]);

/** Replaces the children of an element. @param {Element} element @param {...*} children */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

let counter = 0;

/** An id that no other element has. @param {string} name */
export function freshId(name) {
  counter += 1;
  return `${name}-${counter}`;
}

/** A button. @param {string} text @param {function} onclick @param {Object<string, *>} [attributes] */
export function button(text, onclick, attributes) {
  return h("button", { type: "button", onclick, ...attributes }, text);
}
