/** The part of a picture that is seen: it is moved by dragging, and enlarged with the wheel, two fingers or keys. */

const SCALES = { least: 0.02, most: 3 };
const STEP = 1.25;
/** Pixels that a press of a key moves the picture by. */
const PAN = 80;
/** Pixels that a finger may move in a tap. */
const STILL = 5;

/**
 * @param {SVGSVGElement} svg whose children are in the coordinates of the picture
 * @param {{onScale: function(number)}} options
 */
export function camera(svg, { onScale }) {
  let [x, y, scale] = [0, 0, 1];
  let whole = { x: 0, y: 0, width: 1, height: 1 };
  const pointers = new Map();
  let start = null;
  let hasMoved = false;
  const size = () => ({ width: svg.clientWidth || 800, height: svg.clientHeight || 400 });

  function apply() {
    const { width, height } = size();
    const [seenWide, seenHigh] = [width / scale, height / scale];
    // A part of the picture always stays in view.
    const hold = (value, from, length, seen) =>
      Math.max(from - 0.75 * seen, Math.min(value, from + length - 0.25 * seen));
    x = hold(x, whole.x, whole.width, seenWide);
    y = hold(y, whole.y, whole.height, seenHigh);
    svg.setAttribute(
      "viewBox",
      `${x.toFixed(2)} ${y.toFixed(2)} ${seenWide.toFixed(2)} ${seenHigh.toFixed(2)}`,
    );
    onScale(scale);
  }

  /** Changes the scale; the point, in pixels from the corner, stays where it is. */
  function zoom(factor, point) {
    const { width, height } = size();
    const [left, top] = point ?? [width / 2, height / 2];
    const next = Math.max(SCALES.least, Math.min(SCALES.most, scale * factor));
    x += left / scale - left / next;
    y += top / scale - top / next;
    scale = next;
    apply();
  }

  function pan(across, down) {
    x += across / scale;
    y += down / scale;
    apply();
  }

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  svg.addEventListener(
    "wheel",
    (event) => {
      // Without a key the wheel scrolls the page. A pinch on a touchpad comes with the key.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0025)), at(event));
    },
    { passive: false },
  );
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    pointers.set(event.pointerId, at(event));
    hasMoved = pointers.size > 1;
    start = spread();
  });
  svg.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (!hasMoved && Math.hypot(now[0] - before[0], now[1] - before[1]) < STILL) return;
    if (!hasMoved) svg.setPointerCapture(event.pointerId);
    hasMoved = true;
    pointers.set(event.pointerId, now);
    const next = spread();
    pan(start.middle[0] - next.middle[0], start.middle[1] - next.middle[1]);
    if (start.apart && next.apart) zoom(next.apart / start.apart, next.middle);
    start = next;
  });
  for (const end of ["pointerup", "pointercancel"]) {
    svg.addEventListener(end, (event) => {
      pointers.delete(event.pointerId);
      start = spread();
    });
  }
  // A drag is not a click on what it ends on.
  svg.addEventListener(
    "click",
    (event) => {
      if (hasMoved && event.detail) event.stopPropagation();
      hasMoved = false;
    },
    { capture: true },
  );
  const resized = new ResizeObserver(apply);
  resized.observe(svg);

  /** The middle of the fingers, and how far they are apart. */
  function spread() {
    const all = [...pointers.values()];
    const middle = [0, 1].map((i) => all.reduce((sum, one) => sum + one[i], 0) / (all.length || 1));
    const apart = all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0;
    return { middle, apart };
  }

  return {
    /** The rectangle around everything that is drawn. */
    set whole(box) {
      whole = box;
      apply();
    },
    larger: () => zoom(STEP),
    smaller: () => zoom(1 / STEP),
    /** Shows everything, at most in its natural size. */
    fit() {
      const { width, height } = size();
      const room = 16;
      scale = Math.max(
        SCALES.least,
        Math.min(1, (width - room) / whole.width, (height - room) / whole.height),
      );
      x = whole.x + whole.width / 2 - width / scale / 2;
      y = whole.y + whole.height / 2 - height / scale / 2;
      apply();
    },
    /** Shows a rectangle at the left edge, in natural size or smaller on a narrow screen. */
    begin(box) {
      const { width, height } = size();
      scale = width < 500 ? 0.8 : 1;
      x = box.x - 16 / scale;
      y = box.y + box.height / 2 - height / scale / 2;
      apply();
    },
    /** Moves by as much as something drawn has moved, so that it stays where it is on the screen. */
    follow(across, down) {
      x += across;
      y += down;
      apply();
    },
    /** Moves as little as needed to show a rectangle; at a scale at which it can be read if that is asked for. */
    reveal(box, { readable = false } = {}) {
      if (readable && scale < 0.6) scale = 0.8;
      const { width, height } = size();
      const room = 24 / scale;
      const held = (value, seen, from, length) => {
        if (from - room < value) return from - room;
        return from + length + room > value + seen ? from + length + room - seen : value;
      };
      x = held(x, width / scale, box.x, Math.min(box.width, width / scale - 2 * room));
      y = held(y, height / scale, box.y, box.height);
      apply();
    },
    /** Handles the keys that move and enlarge. @returns {boolean} true if it was one of them */
    key(event) {
      const act = {
        "+": () => zoom(STEP),
        "=": () => zoom(STEP),
        "-": () => zoom(1 / STEP),
        0: () => this.fit(),
        ...(event.shiftKey && {
          ArrowLeft: () => pan(-PAN, 0),
          ArrowRight: () => pan(PAN, 0),
          ArrowUp: () => pan(0, -PAN),
          ArrowDown: () => pan(0, PAN),
        }),
      }[event.key];
      act?.();
      return Boolean(act);
    },
    leave: () => resized.disconnect(),
  };
}
