// The file that "lucena lesson" writes: opened without a server, played and printed.
//
// The binary is the one that LUCENA names, or that of a release build. LESSON names an existing file to test
// instead.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { axe, close, launch, open } from "./browser.mjs";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const LUCENA = resolve(process.env.LUCENA ?? join(ROOT, "target/release/lucena"));
/** The time limit for writing a lesson, in milliseconds. */
const PATIENCE = 120000;

let folder;
let address;
let browser;
let page;
/** The requests of the page. */
let requests = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "lucena-lesson-"));
  const written = process.env.LESSON ?? join(folder, "KRvK.html");
  if (!process.env.LESSON) {
    await promisify(execFile)(LUCENA, ["lesson", "KRvK", "--html", written, "--tables", folder],
      { cwd: ROOT, timeout: PATIENCE });
  }
  address = pathToFileURL(resolve(written)).href;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** One page for a group of tests, reloaded for each test. */
function pages(options = {}) {
  before(async () => {
    page = await open(browser, "about:blank", options);
    page.on("request", (request) => requests.push(request.url()));
  });
  beforeEach(async () => {
    requests = [];
    await page.goto(address);
    await practice("h3.outcome", "to move").waitFor();
    await page.evaluate(() => localStorage.clear());
  });
  afterEach(() => {
    assert.deepEqual(page.errors.splice(0), []);
    assert.deepEqual(requests.filter((url) => !url.startsWith("data:") && url.split("#")[0] !== address), []);
  });
  after(() => close(page));
}

const part = (id) => (selector, hasText) => page.locator(`#${id} ${selector}`, hasText ? { hasText } : {});
const [practice, exercises] = [part("practice"), part("exercises")];
const data = () => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

/** Makes a move by two clicks, in a part of the lesson. */
async function click(within, uci) {
  await within(`[data-square="${uci.slice(0, 2)}"]`).click();
  await within(`[data-square="${uci.slice(2, 4)}"]`).click();
  if (uci[4]) await within(`.promotion-man[data-role="${uci[4]}"]`).click();
}

/** The men on a board: "Ka1 Rh1 kd5", in order. */
const men = async (within) => {
  const labels = await within("[data-square]").evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute("aria-label").split(", ").slice(0, 2)));
  const letter = (words) => {
    const [colour, role] = words.split(" ");
    const sign = role === "knight" ? "n" : role[0];
    return colour === "white" ? sign.toUpperCase() : sign;
  };
  const placed = labels.filter(([, man]) => man !== "empty");
  return placed.map(([square, man]) => letter(man) + square).sort().join(" ");
};

/** All moves of White on the practice board, best first, by the file's own table. */
async function movesNow() {
  return page.evaluate(async (placed) => {
    const { fenOf } = await import("lucena/fen.js");
    const { positionOf } = await import("lucena/rules.js");
    const { Tables } = await import("lucena/table.js");
    const { tables } = JSON.parse(document.getElementById("data").textContent);
    const board = new Map(placed.split(" ").map((man) => [man.slice(1), man[0]]));
    return new Tables(tables).moves(positionOf(fenOf(board, "white")));
  }, await men(practice));
}

/** Waits until White is to move again, or the game is over. */
const settled = () => practice("h3.outcome", /to move|Checkmate|Not this time/).waitFor();

/** Chooses the first position with a mate in this many moves. */
async function choose(moves) {
  const n = (await data()).practice.findIndex((one) => one.moves === moves);
  assert.ok(n >= 0, `no mate in ${moves} to practise`);
  await practice("ol.numbers button").nth(n).click();
  await practice("h3.outcome", `White mates in ${moves}`).waitFor();
  return n;
}

describe("a lesson in a file", () => {
  pages();

  test("has the texts, the boards and the parts", async () => {
    const { lesson, practice: positions } = await data();
    assert.equal(await page.locator("h1").textContent(), lesson.title);
    const headings = lesson.sections.map(({ heading }) => heading).filter(Boolean);
    const seen = await page.locator("h2, h3").allTextContents();
    for (const heading of headings) assert.ok(seen.includes(heading), heading);
    const boards = lesson.sections.reduce((sum, section) => sum + section.boards.length, 0);
    assert.equal(await page.locator("section > .beside .small-board:not(.swatch)").count(), boards);
    assert.equal(await practice("ol.numbers button").count(), positions.length);
  });

  test("is without faults for those who listen", () => axe(page));

  test("steps through the game by mouse and keyboard", async () => {
    const { lesson } = await data();
    const { game } = lesson.sections.findLast((section) => section.game);
    const place = page.locator(".game").last();
    const line = place.locator(".line-move");
    assert.equal(await line.count(), game.moves.length);
    await place.getByRole("button", { name: "Next move", exact: true }).click();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("[aria-current=step]").textContent(), game.sans[1]);
    await page.keyboard.press("End");
    await line.last().and(page.locator("[aria-current=step]")).waitFor();
    const board = place.locator(".board-grid");
    await board.getByLabel(/king, in check/).waitFor();
    await line.first().focus();
    await page.keyboard.press("Home");
    assert.equal(await page.locator("[aria-current=step]").count(), 0);
  });

  test("judges an exercise", async () => {
    const [{ fen, solutions: [solution], explanation }] = (await data()).lesson.exercises;
    const before = await men(exercises);
    const wrong = await page.evaluate(async ([from, right]) => {
      const { legalMoves, positionOf } = await import("lucena/rules.js");
      return legalMoves(positionOf(from)).find(({ uci }) => !right.includes(uci)).uci;
    }, [fen, [solution]]);
    await click(exercises, wrong);
    await exercises(".error", "is not the right move").waitFor();
    await exercises(`.movable[data-square="${solution.slice(0, 2)}"]`).waitFor();
    assert.equal(await men(exercises), before);
    await click(exercises, solution);
    await exercises(".notice", "is right").waitFor();
    await exercises(".notice", explanation).waitFor();
    await exercises("button.done", "1").waitFor();
    await exercises("button", "Next exercise").click();
    await exercises("h3", "Exercise 2").waitFor();
    await exercises("button", "Show the answer").click();
    assert.equal(await exercises("[data-shape=arrow]").count(), 1);
    await axe(page, "#exercises");
  });

  test("is played to mate, and remembers it", async () => {
    const n = await choose(5);
    for (let move = 1; move <= 5; move += 1) {
      await click(practice, (await movesNow())[0].uci);
      await practice("p", `Moves played: ${move}.`).waitFor();
      await settled();
    }
    await practice("h3.outcome", "Checkmate: White wins").waitFor();
    await practice("p", "Moves played: 5. Moves wasted: 0.").waitFor();
    await practice(".notice", "mastered").waitFor();
    await axe(page, "#practice");
    await page.reload();
    await practice("ol.numbers button").nth(n).and(page.locator(".done")).waitFor();
  });

  test("says what a move wastes, and takes moves back", async () => {
    await choose(6);
    const start = await men(practice);
    const moves = await movesNow();
    const away = moves.find(({ winner }) => winner === null);
    if (away) {
      await click(practice, away.uci);
      await practice(".error", "gives the win away").waitFor();
      await practice("button", "Take back").click();
      assert.equal(await men(practice), start);
    }
    // The slowest winning move, which the rules of the lesson never play.
    await click(practice, moves.filter(({ winner }) => winner === "white").at(-1).uci);
    await practice(".notice", /wastes \d+ moves?: .* was better/).waitFor();
    await practice("h3.outcome", "to move").waitFor();
    await practice("button", "Take back").click();
    assert.equal(await men(practice), start);
    await practice("p", "Moves wasted: 0.").waitFor();
  });

  test("gives hints in three steps, and then nothing is mastered", async () => {
    await choose(1);
    const hint = practice("button", /^Hint/);
    await hint.click();
    await practice(".notice", "The move is mate.").waitFor();
    await hint.click();
    await practice(".notice", /It moves the \w+ on/).waitFor();
    assert.equal(await practice("[data-shape=ring]").count(), 1);
    await hint.click();
    await practice(".notice", /It plays .*#/).waitFor();
    assert.equal(await practice("[data-shape=arrow]").count(), 1);
    assert.equal(await hint.getAttribute("aria-disabled"), "true");
    await axe(page, "#practice");
    const mate = (await movesNow())[0].uci;
    // By keyboard.
    await practice(`[data-square="${mate.slice(0, 2)}"]`).focus();
    await page.keyboard.press("Enter");
    await practice(`[data-square="${mate.slice(2, 4)}"]`).focus();
    await page.keyboard.press("Enter");
    // A pawn becomes a queen unless another man is picked.
    if (mate[4]) await page.keyboard.press("Enter");
    await practice("h3.outcome", "Checkmate").waitFor();
    await practice(".notice", "does not count as mastered").waitFor();
    await practice("button", "Flip").click();
    await practice("button", "A new position").click();
    await practice("h3.outcome", "to move").waitFor();
  });

  test("is printed with its boards and without its controls", async () => {
    await page.emulateMedia({ media: "print" });
    const { lesson } = await data();
    assert.equal(await page.locator("button:visible").count(), 0);
    assert.equal(await page.locator("#exercises .small-board:visible").count(), lesson.exercises.length);
    await page.emulateMedia({ media: "screen" });
  });
});

describe("in the dark on a narrow screen", () => {
  pages({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });

  test("fits and is without faults", async () => {
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(over <= 0, `it is ${over} px too wide`);
    await axe(page);
  });
});

describe("where a page may remember nothing", () => {
  before(async () => {
    page = await open(browser, "about:blank");
    await page.addInitScript(() => Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("no", "SecurityError");
      },
    }));
  });
  after(() => close(page));

  test("it is played all the same", async () => {
    await page.goto(address);
    await choose(1);
    await click(practice, (await movesNow())[0].uci);
    await practice(".notice", "mastered").waitFor();
  });
});
