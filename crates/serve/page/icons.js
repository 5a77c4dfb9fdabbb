/** Line drawings for buttons and links, 20 by 20. They have no meaning of their own: words stand beside them. */
import { h } from "/page/dom.js";

const PATHS = {
  learn: "M2.5 6.5 10 3l7.5 3.5L10 10ZM5.5 8.2v4.6c2.6 2.2 6.4 2.2 9 0V8.2M17.5 6.5v5",
  look: "M8.5 3a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11ZM12.6 12.6 17 17",
  play: "M5.5 17h9M6.5 17c.6-2 1.8-3 2-5.5h3c.2 2.5 1.4 3.5 2 5.5M7.5 11.5h5M10 4a3 3 0 0 1 2 5.2L12.5 11.5h-5L8 9.2A3 3 0 0 1 10 4Z",
  laboratory: "M7.5 3h5M8.5 3v5L4 15.5A1.2 1.2 0 0 0 5 17.2h10a1.2 1.2 0 0 0 1-1.7L11.5 8V3M6 12.5h8",
  undo: "M4 8h8.5a3.5 3.5 0 1 1 0 7H8M7.5 4.5 4 8l3.5 3.5",
  redo: "M16 8H7.5a3.5 3.5 0 1 0 0 7H12M12.5 4.5 16 8l-3.5 3.5",
  flip: "M6.5 3.5v12.5M3.5 6.5l3-3 3 3M13.5 16.5V4M10.5 13.5l3 3 3-3",
  edit: "M3.5 16.5h3l9.5-9.5-3-3-9.5 9.5ZM11.5 5.5l3 3",
  keys: "M2.5 5.5h15v9h-15ZM5.5 8.5h.1M8.5 8.5h.1M11.5 8.5h.1M14.5 8.5h.1M6.5 11.5h7",
  copy: "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5Z",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1",
  print: "M6 8V3.5h8V8M6 14H3.5V8h13v6H14M6 11.5h8v5H6Z",
  dice: "M4 4h12v12H4ZM7.5 7.5h.1M12.5 7.5h.1M10 10h.1M7.5 12.5h.1M12.5 12.5h.1",
};

/** An icon. @param {string} name a key of PATHS @returns {SVGSVGElement} */
export const icon = (name) =>
  h(
    "svg:svg",
    { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" },
    h("svg:path", { d: PATHS[name] }),
  );
