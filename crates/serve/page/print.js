/** Printing: the button at the foot of every view, and the address of the view on paper. */
import { button, fill, h } from "/page/dom.js";

const address = h("p", { class: "print-address" });
const place = document.querySelector(".foot");
place.append(button("Print this view", () => window.print(), { class: "quiet" }), address);

const write = () => fill(address, location.href);
addEventListener("beforeprint", write);
matchMedia("print").addEventListener("change", write);
