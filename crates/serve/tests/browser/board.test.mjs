// The board of page/board.js, with mouse, touch and keyboard.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { axe, close, launch, open } from "./browser.mjs";
import * as hand from "./hand.mjs";
import { serveFiles } from "./static.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const ROOK_MOVES = ["h1h5", "h1h4", "h1c1", "a1b2", "a1a2", "a1b1"].map((uci) => ({ uci }));
const PAWN = "8/6P1/8/8/8/2k5/8/K7 w - - 0 1";
const PAWN_MOVES = ["g7g8q", "g7g8r", "g7g8b", "g7g8n", "a1a2"].map((uci) => ({ uci }));
const MARKS = [
  { shape: "ring", squares: ["d5"], label: "the king" },
  { shape: "region", squares: ["d4", "d5", "e4"], label: "its room" },
  { shape: "dot", squares: ["a2", "b2"], label: "dots" },
  { shape: "cross", squares: ["g7", "h7"], label: "crosses" },
  { shape: "hatch", squares: ["h3"], label: "hatching" },
  { shape: "arrow", from: "h1", to: "h5", label: "the move" },
];

let server;
let browser;
let page;

before(async () => {
  [server, browser] = await Promise.all([serveFiles(), launch()]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** One page for a group of tests, reloaded for each test. */
function pages(options = {}) {
  const url = () => `${server.address}/fixture/board.html`;
  before(async () => {
    page = await open(browser, url(), options);
  });
  beforeEach(() => page.goto(url()));
  afterEach(() => assert.deepEqual(page.errors.splice(0), []));
  after(() => close(page));
}

const makeBoard = (options) => page.evaluate((given) => window.makeBoard(given), options);
const cell = (square) => hand.cell(page, square);
const tray = (letter) => page.locator(`[data-tray="${letter}"]`);
/** The reported events of a kind, without their first word. */
const heard = async (what) => {
  const lines = (await page.evaluate(() => window.heard)).map((line) => line.split(" "));
  return lines.filter(([kind]) => kind === what).map(([, word]) => word);
};
const said = () => page.locator(".board-live").textContent();
const focused = () => page.evaluate(() => {
  const { dataset, ariaLabel } = document.activeElement;
  return dataset.square ?? ariaLabel;
});

const men = () => hand.men(page);
const { middle } = hand;
const drag = (from, to) => hand.drag(page, from, to);
const swipe = (from, to) => hand.swipe(page, from, to);

const keys = async (...names) => {
  for (const name of names) await page.keyboard.press(name);
};

describe("with a mouse", () => {
  pages();

  test("a man is dragged to a legal square, and nowhere else", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    await drag(cell("h1"), cell("g5"));
    assert.deepEqual(await heard("move"), []);
    assert.equal(await men(), "Ka1 Rh1 kd5");
    await drag(cell("h1"), cell("h5"));
    assert.deepEqual(await heard("move"), ["h1h5"]);
    assert.equal(await men(), "Ka1 Rh5 kd5");
    assert.equal(await said(), "White rook from h1 to h5.");
  });

  test("while a man is dragged, it is under the pointer and its targets are shown", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    await page.mouse.move(...(await middle(cell("h1"))));
    await page.mouse.down();
    const [x, y] = await middle(cell("e4"));
    await page.mouse.move(x, y, { steps: 3 });
    const dragged = await middle(page.locator(".drag .man"));
    assert.ok(Math.hypot(dragged[0] - x, dragged[1] - y) < 6, `${dragged} is not at ${x},${y}`);
    assert.equal(await page.locator(".aims .aim").count(), 3);
    await page.mouse.up();
    assert.equal(await page.locator(".drag .man, .aims .aim").count(), 0);
  });

  test("the right button draws arrows and circles; the same again removes them", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    const drawn = () => page.locator(".sketch").evaluateAll((all) =>
      all.map((one) => one.getAttribute("class").replaceAll(/sketch[- ]/g, "")));
    const draw = async (from, to, ...held) => {
      for (const key of held) await page.keyboard.down(key);
      await page.mouse.move(...(await middle(cell(from))));
      await page.mouse.down({ button: "right" });
      await page.mouse.move(...(await middle(cell(to))), { steps: 3 });
      await page.mouse.up({ button: "right" });
      for (const key of held) await page.keyboard.up(key);
    };
    const menus = () => page.evaluate(() => window.menus);
    await page.evaluate(() => {
      window.menus = 0;
      addEventListener("contextmenu", (event) => (window.menus += event.defaultPrevented ? 0 : 1));
    });
    await draw("a1", "c3");
    await draw("d5", "d5", "Shift");
    await draw("h1", "h5", "Alt");
    await draw("b2", "b2", "Shift", "Alt");
    assert.deepEqual(await drawn(), ["green arrow", "red circle", "blue arrow", "yellow circle"]);
    assert.equal(await said(), "A yellow circle on b2.");
    assert.equal(await men(), "Ka1 Rh1 kd5", "no man moves");
    await draw("a1", "c3");
    await draw("d5", "d5");
    assert.deepEqual(await drawn(), ["blue arrow", "yellow circle", "green circle"]);
    await page.evaluate(() => window.board.flip());
    assert.equal((await drawn()).length, 3, "they turn with the board");
    await cell("e2").click();
    assert.deepEqual(await drawn(), []);
    await draw("a1", "c3");
    await keys("Escape");
    assert.deepEqual(await drawn(), []);
    await draw("a1", "c3");
    await page.evaluate((fen) => window.board.show({ fen }), PAWN);
    assert.deepEqual(await drawn(), [], "they go with the position");
    assert.equal(await menus(), 0);
    await page.locator("h1").click({ button: "right" });
    assert.equal(await menus(), 1, "elsewhere the menu stays");
  });

  test("clicks pick a man, change it, let it go and put it", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    await cell("h1").click();
    assert.equal(await page.locator(".aims .aim").count(), 3);
    assert.equal(await cell("h5").getAttribute("aria-label"), "h5, empty, legal move");
    assert.equal(await cell("h1").getAttribute("aria-selected"), "true");
    await cell("h1").click();
    assert.equal(await page.locator(".aims .aim").count(), 0);
    await cell("h1").click();
    await cell("a1").click();
    await cell("b2").click();
    assert.deepEqual(await heard("move"), ["a1b2"]);
    assert.deepEqual(await heard("square"), ["h1", "h1", "h1", "a1", "b2"]);
  });

  test("a move can be made only once before the page answers", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    await drag(cell("h1"), cell("h5"));
    await drag(cell("a1"), cell("b2"));
    assert.deepEqual(await heard("move"), ["h1h5"]);
    await page.evaluate(([fen, moves]) => window.board.show({ fen, moves }), [ROOK, ROOK_MOVES]);
    assert.equal(await men(), "Ka1 Rh1 kd5");
  });

  test("looking, no man moves but squares are told", async () => {
    await makeBoard({ fen: ROOK, mode: "look", moves: ROOK_MOVES });
    await drag(cell("h1"), cell("h5"));
    await cell("c3").click();
    assert.deepEqual(await heard("move"), []);
    assert.deepEqual(await heard("square"), ["c3"]);
    assert.equal(await men(), "Ka1 Rh1 kd5");
  });

  test("a flipped board has its squares, letters and drags the other way round", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES, marks: MARKS });
    const before = await cell("h1").boundingBox();
    const grid = await page.locator(".board-grid").boundingBox();
    await page.evaluate(() => window.board.flip());
    const after = await cell("h1").boundingBox();
    const turned = (x, width) => 2 * grid[x] + grid[width] - before[x] - before[width];
    assert.ok(Math.abs(after.x - turned("x", "width")) < 1);
    assert.ok(Math.abs(after.y - turned("y", "height")) < 1);
    assert.equal(await men(), "Ka1 Rh1 kd5");
    const letters = await page.locator(".coordinate").evaluateAll((texts) =>
      texts.map((text) => [text.textContent, text.getBoundingClientRect()])
        .sort(([, a], [, b]) => a.left - b.left).map(([text]) => text).join(""));
    assert.match(letters, /hgfedcba$/);
    const ring = await middle(page.locator(".ring"));
    const king = await middle(cell("d5"));
    assert.ok(Math.hypot(ring[0] - king[0], ring[1] - king[1]) < 1);
    await drag(cell("h1"), cell("h4"));
    assert.deepEqual(await heard("move"), ["h1h4"]);
    assert.equal(await page.evaluate(() => window.board.flipped), true);
  });

  test("marks have their shapes and are replaced at once", async () => {
    await makeBoard({ fen: ROOK });
    await page.evaluate((marks) => window.board.mark(marks), MARKS);
    const count = (what) => page.locator(`.board-picture ${what}`).count();
    assert.equal(await count(".under .ring"), 1);
    assert.equal(await count(".under .region"), 3);
    assert.equal(await count(".dot"), 2);
    assert.equal(await count(".cross"), 2);
    assert.equal(await count(".hatch"), 1);
    assert.equal(await count(".arrow"), 1);
    // The outer sides of three squares that touch twice: 12 - 4.
    const d = await page.locator(".border").getAttribute("d");
    assert.equal(d.match(/M/g).length, 8);
    const [stroke, dashes] = await page.locator(".border").evaluate((border) => {
      const style = getComputedStyle(border);
      return [style.stroke, style.strokeDasharray];
    });
    assert.notEqual(stroke, "none");
    assert.equal(dashes, "7px, 4px");
    assert.equal(await cell("d5").getAttribute("title"), "the king; its room");
    await page.evaluate(() => window.board.mark([{ shape: "dot", squares: ["c3"] }, { shape: "odd" }]));
    assert.equal(await count(".mark"), 1);
    await page.evaluate(() => window.board.mark([]));
    assert.equal(await count(".mark"), 0);
    assert.equal(await cell("d5").getAttribute("title"), null);
  });

  test("a move slides and ends where it should, and a whole new position does not", async () => {
    await makeBoard({ fen: "8/8/8/3k3p/8/8/8/K6R w - - 0 1" });
    const running = (fen, rest) => page.evaluate(([position, what]) => {
      window.board.show({ fen: position, ...what });
      return document.getAnimations().length;
    }, [fen, rest]);
    // The rook slides and the pawn fades.
    assert.equal(await running("8/8/8/3k3R/8/8/8/K7 b - - 0 1", { lastMove: "h1h5", check: "d5" }), 2);
    assert.equal(await men(), "Ka1 Rh5 kd5");
    assert.equal(await page.locator(".leaving > *").count(), 0);
    assert.equal(await page.locator(".state .last").count(), 2);
    assert.equal(await page.locator(".state .check").count(), 1);
    assert.equal(await said(), "White rook from h1 to h5, takes the black pawn.");
    assert.equal(await cell("d5").getAttribute("aria-label"), "d5, black king, in check");
    assert.equal(await running("8/8/1q6/8/8/2k5/8/3K4 w - - 0 1", {}), 0);
    assert.equal(await men(), "Kd1 kc3 qb6");
    assert.equal(await page.locator(".state > *").count(), 0);
    // Castling moves two men.
    await running("8/8/8/8/8/8/8/4K2R w K - 0 1", {});
    assert.equal(await running("8/8/8/8/8/8/8/5RK1 b - - 0 1", { lastMove: "e1g1" }), 2);
    assert.equal(await men(), "Kg1 Rf1");
    assert.equal(await running("8/8/8/8/8/8/8/4K2R w K - 0 1", { animate: false }), 0);
  });

  test("a small board is still and says what stands on it", async () => {
    await makeBoard({ fen: ROOK });
    await page.evaluate(([fen, marks]) => {
      const { smallBoard } = window.tools;
      document.querySelector("#small").append(smallBoard(fen, { marks }),
        smallBoard(fen, { flipped: true, label: "The end" }));
    }, [ROOK, MARKS]);
    const small = page.locator(".small-board");
    const words = "White: king a1, rook h1. Black: king d5. White to move.";
    assert.equal(await small.nth(0).getAttribute("aria-label"), words);
    assert.equal(await small.nth(1).getAttribute("aria-label"), "The end");
    assert.equal(await small.nth(0).locator(".man").count(), 3);
    assert.equal(await small.nth(0).locator(".mark").count(), 6);
    const corner = async (nth) => {
      const rook = await small.nth(nth).locator("[data-man=R]").boundingBox();
      const box = await small.nth(nth).boundingBox();
      return [rook.x > box.x + box.width / 2, rook.y > box.y + box.height / 2];
    };
    assert.deepEqual(await corner(0), [true, true]);
    assert.deepEqual(await corner(1), [false, false]);
    await axe(page);
  });

  test("a dragged pawn asks what it becomes; a click beside it takes the move back", async () => {
    await makeBoard({ fen: PAWN, mode: "play", moves: PAWN_MOVES });
    await drag(cell("g7"), cell("g8"));
    assert.equal(await page.getByRole("dialog").count(), 1);
    assert.equal(await men(), "Ka1 Pg8 kc3");
    await page.mouse.click(...(await middle(cell("b4"))));
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.equal(await men(), "Ka1 Pg7 kc3");
    await drag(cell("g7"), cell("g8"));
    await page.getByRole("dialog").getByLabel("knight").click();
    assert.deepEqual(await heard("move"), ["g7g8n"]);
    assert.equal(await men(), "Ka1 Ng8 kc3");
    assert.equal(await said(), "White pawn from g7 to g8, becomes a knight.");
  });

  test("men are set up: dragged on, moved and dragged off", async () => {
    await makeBoard({ fen: "8/8/8/8/8/8/8/8 b - - 0 1", mode: "setup" });
    await drag(tray("K"), cell("c3"));
    await drag(tray("k"), cell("c4"));
    await drag(tray("p"), cell("h8"));
    await drag(cell("c3"), cell("e1"));
    await drag(cell("h8"), [790, 20]);
    await drag(tray("Q"), [790, 20]);
    assert.deepEqual(await heard("setup"), [
      "8/8/8/8/8/2K5/8/8", "8/8/8/8/2k5/2K5/8/8", "7p/8/8/8/2k5/2K5/8/8",
      "7p/8/8/8/2k5/8/8/4K3", "8/8/8/8/2k5/8/8/4K3",
    ]);
    assert.equal(await men(), "Ke1 kc4");
    assert.equal(await page.evaluate(() => window.board.fen), "8/8/8/8/2k5/8/8/4K3 b - - 0 1");
  });

  test("men are set up by clicks, and the bin takes them off", async () => {
    await makeBoard({ fen: ROOK, mode: "setup" });
    await tray("P").click();
    assert.equal(await tray("P").getAttribute("aria-pressed"), "true");
    await cell("a2").click();
    await cell("b2").click();
    await cell("b2").click();
    assert.equal(await men(), "Ka1 Pa2 Rh1 kd5");
    await tray("P").click();
    await cell("h1").click();
    await tray("bin").click();
    assert.equal(await men(), "Ka1 Pa2 kd5");
    await tray("bin").click();
    await cell("a2").click();
    await cell("a1").click();
    await tray("bin").click();
    await cell("d5").click();
    await cell("d1").click();
    assert.equal(await men(), "kd1");
    assert.deepEqual((await heard("setup")).at(-1), "8/8/8/8/8/8/8/3k4");
    await page.evaluate(() => window.board.setMode("look"));
    assert.equal(await tray("P").isVisible(), false);
  });
});

describe("with a keyboard", () => {
  pages();

  test("a man is picked, put and let go", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES, label: "The game" });
    assert.equal(await page.getByRole("grid", { name: "The game" }).count(), 1);
    assert.equal(await page.getByRole("gridcell").count(), 64);
    await keys("Tab");
    assert.equal(await focused(), "a1");
    assert.equal(await cell("a1").getAttribute("aria-label"), "a1, white king");
    await keys("Enter");
    assert.equal(await said(), "White king on a1 picked: 3 squares to go to.");
    await keys("Escape");
    assert.equal(await page.locator(".aims .aim").count(), 0);
    await keys("End", "ArrowRight", "ArrowDown");
    assert.equal(await focused(), "h1");
    await keys("Space", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Space");
    assert.deepEqual(await heard("move"), ["h1h5"]);
    assert.equal(await men(), "Ka1 Rh5 kd5");
    assert.equal(await focused(), "h5");
    await keys("Tab");
    assert.equal(await page.locator(".board :focus").count(), 0, "the board is one stop for Tab");
  });

  test("a promotion is chosen and refused", async () => {
    await makeBoard({ fen: PAWN, mode: "play", moves: PAWN_MOVES });
    await page.evaluate(() => window.board.focus("g7"));
    await keys("Enter", "ArrowUp", "Enter");
    assert.equal(await focused(), "queen");
    await axe(page);
    await keys("Tab", "ArrowDown");
    assert.equal(await focused(), "bishop");
    await keys("Escape");
    assert.equal(await focused(), "g7");
    assert.deepEqual(await heard("move"), []);
    await keys("Enter", "ArrowUp", "Enter", "ArrowDown", "Enter");
    assert.deepEqual(await heard("move"), ["g7g8r"]);
    assert.equal(await focused(), "g8");
    await page.evaluate(([fen, moves]) => window.board.show({ fen, moves }), [PAWN, PAWN_MOVES]);
    await page.evaluate(() => window.board.focus("g7"));
    await keys("Enter", "ArrowUp", "Enter", "b");
    assert.deepEqual(await heard("move"), ["g7g8r", "g7g8b"]);
  });

  test("arrow keys go the way that they point on a flipped board", async () => {
    await makeBoard({ fen: ROOK, flipped: true });
    await page.evaluate(() => window.board.focus("d5"));
    await keys("ArrowUp", "ArrowRight");
    assert.equal(await focused(), "c4");
    await page.evaluate(() => window.board.flip());
    assert.equal(await focused(), "c4", "the keyboard stays on its square");
    await keys("Control+Home");
    assert.equal(await focused(), "a8");
  });

  test("men are set up: from the tray, by letters, and taken off", async () => {
    await makeBoard({ fen: "8/8/8/8/8/8/8/8 w - - 0 1", mode: "setup" });
    await keys("Tab", "ArrowRight", "Enter");
    assert.equal(await focused(), "a1", "the keyboard goes to the board with the man");
    await keys("Enter", "Escape", "ArrowUp", "Shift+K", "ArrowUp", "p");
    assert.equal(await men(), "Ka2 pa3 qa1");
    await keys("Backspace", "ArrowDown", "Enter", "ArrowRight", "Enter", "ArrowLeft", "ArrowDown", "Delete");
    assert.equal(await men(), "Kb2");
    assert.equal(await said(), "Black queen taken off a1.");
    assert.deepEqual((await heard("setup")).at(-1), "8/8/8/8/8/8/1K6/8");
  });
});

describe("by touch, 360 pixels wide, in the dark", () => {
  pages({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, colorScheme: "dark" });

  test("taps play, and a drag plays without scrolling the page", async () => {
    await makeBoard({ fen: ROOK, mode: "play", moves: ROOK_MOVES });
    await cell("h1").tap();
    await cell("h5").tap();
    assert.deepEqual(await heard("move"), ["h1h5"]);
    await page.evaluate(([fen, moves]) => window.board.show({ fen, moves }), [ROOK, ROOK_MOVES]);
    await page.evaluate(() => window.scrollTo(0, 30));
    await swipe(cell("h1"), cell("h4"));
    assert.deepEqual(await heard("move"), ["h1h5", "h1h4"]);
    assert.equal(await page.evaluate(() => window.scrollY), 30);
    // Where no man is to be dragged, the finger scrolls.
    await swipe(cell("e4"), cell("e8"));
    await page.waitForFunction(() => window.scrollY > 30);
  });

  test("a promotion and a set-up by taps", async () => {
    await makeBoard({ fen: PAWN, mode: "play", moves: PAWN_MOVES });
    await cell("g7").tap();
    await cell("g8").tap();
    const button = await page.getByRole("dialog").getByLabel("rook").boundingBox();
    assert.ok(button.width >= 40 && button.height >= 40, "big enough for a finger");
    assert.ok(button.x + button.width <= 360);
    await page.getByRole("dialog").getByLabel("rook").tap();
    assert.deepEqual(await heard("move"), ["g7g8r"]);
    await makeBoard({ fen: ROOK, mode: "setup" });
    await tray("b").tap();
    await cell("e4").tap();
    assert.equal(await men(), "Ka1 Rh1 be4 kd5");
    await swipe(tray("n"), cell("f3"));
    assert.equal(await men(), "Ka1 Rh1 be4 kd5 nf3");
  });

  test("the board fits, and axe finds no fault in any mode", async () => {
    for (const mode of ["look", "play", "setup"]) {
      await makeBoard({ fen: ROOK, mode, moves: ROOK_MOVES, marks: MARKS, lastMove: "a2a1" });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${mode} is ${width} wide`);
      const size = (await cell("e4").boundingBox()).width;
      assert.ok(size >= 36, `squares are ${size} wide`);
      await axe(page);
    }
  });

  test("the dark has colours of its own", async () => {
    const colour = () =>
      page.locator(".ground .light").first().evaluate((square) => getComputedStyle(square).fill);
    const dark = await colour();
    await page.emulateMedia({ colorScheme: "light" });
    assert.notEqual(await colour(), dark);
    await page.emulateMedia({ colorScheme: "dark" });
  });
});

describe("with little motion", () => {
  pages({ reducedMotion: "reduce" });

  test("nothing slides", async () => {
    await makeBoard({ fen: ROOK });
    const running = await page.evaluate(() => {
      window.board.show({ fen: "8/8/8/3k4/7R/8/8/K7 b - - 0 1", lastMove: "h1h4" });
      return document.getAnimations().length;
    });
    assert.equal(running, 0);
    assert.equal(await men(), "Ka1 Rh4 kd5");
  });
});

describe("fen.js", () => {
  let fen;
  before(async () => {
    fen = await import("../../page/fen.js");
  });

  test("what is read is printed again", () => {
    for (const position of [ROOK, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1"]) {
      assert.equal(fen.fenOf(fen.menOf(position), fen.turnOf(position)), position);
    }
  });

  test("too little, too much and nonsense are borne", () => {
    assert.deepEqual([...fen.menOf("3k/KQ")], [["d8", "k"], ["a7", "K"], ["b7", "Q"]]);
    assert.deepEqual([...fen.menOf("7kk/9x/K8K")], [["h8", "k"], ["a6", "K"]]);
    assert.equal(fen.fenOf(fen.menOf(undefined)), fen.EMPTY);
    assert.equal(fen.turnOf("8/8/8/8/8/8/8/8"), "white");
  });
});
