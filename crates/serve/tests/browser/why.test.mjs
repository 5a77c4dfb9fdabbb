// Why: the path to a move, the highlights of its steps on the board, and comparisons with other moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { close, house, quiet, reload, shown, shows, state } from "./browser.mjs";
import { cell, click, markedBoard, marks, men } from "./hand.mjs";

const AT = "view=why&fen=8/8/8/3k4/8/8/8/K6R+w+-+-+0+1";
const WHOLE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1";
const { open } = house();
const steps = (page) => page.locator(".step");
/** Unfolds the steps. */
const unfold = (page) => page.locator("summary", { hasText: /^How the \w+ decided$/ }).click();

for (const player of ["theory", "strategy"]) {
  test(`pointing at a step of ${player} marks the board`, async () => {
    const page = await open(`${AT}&player=${player}`);
    await quiet(page);
    assert.match(await page.getByRole("heading", { level: 2 }).first().innerText(), /^It plays \w+/);
    assert.equal(await steps(page).first().isVisible(), false, "the steps are folded away");
    await unfold(page);
    const before = await markedBoard(page);
    const seen = new Set();
    for (const step of await steps(page).all()) {
      await step.hover();
      seen.add(await markedBoard(page));
    }
    assert.ok(seen.size > 1 || !seen.has(before), `all steps show ${[...seen]}`);
    await page.mouse.move(2, 2);
    assert.equal(await markedBoard(page), before);
    await steps(page).first().click();
    const held = await markedBoard(page);
    await page.mouse.move(2, 2);
    assert.equal(await markedBoard(page), held, "a click holds the marks");
    assert.equal(state(page).step, "1");
    await reload(page);
    await steps(page).first().click();
    assert.equal(state(page).step, undefined);
    await close(page);
  });
}

test("a measure marks what its terms count, and says what moves force", async () => {
  // Bishop and knight: a room, the king beside its bishop, and the corners of the bishop's colour.
  const page = await open("view=why&player=measure&instead=a1a2&fen=8/8/8/8/3k4/8/8/KBN5+w+-+-+0+1");
  await quiet(page, 30000);
  const main = page.locator("#main");
  assert.match(await main.innerText(), /It plays Kb2/);
  await unfold(page);
  const [, terms, sum] = /the number is ([-+ \d,]+) = (-?[\d,]+):/.exec(await main.innerText());
  const number = (text) => Number(text.replaceAll(",", ""));
  const added = terms.replaceAll(/([-+]) /g, "$1").split(" ").map(number);
  assert.equal(added.reduce((one, other) => one + other), number(sum));
  assert.equal(await steps(page).count(), added.length);
  const shapes = [];
  for (const step of await steps(page).all()) {
    await step.hover();
    shapes.push(await marks(page));
  }
  // The king and its man; the room and the corners; the corners alone.
  assert.deepEqual(shapes.map((one) => one.split(" ").sort().join(" ")),
    ["arrow ring", "arrow dot hatch ring", "arrow hatch ring"]);
  await steps(page).first().hover();
  assert.equal(await page.locator(".ring-mark circle").count(), 2);
  const [, least] = /Kb2 forces (-?[\d,]+) in/.exec(await main.innerText());
  const [, less] = /forces only (-?[\d,]+) in/.exec(await main.innerText());
  assert.ok(number(least) < number(less), `${least} ${less}`);
  const held = page.getByRole("article", { name: "Ka2 instead" });
  assert.match(await held.innerText(), /Ka2 forces only .*; Kb2 forces .*\n.*the number is /);
  assert.equal(await page.getByRole("heading", { name: "What the other moves force" }).isVisible(), true);
  assert.match(await page.locator("details li").last().innerText(), /is not safe/);
  await close(page);
});

test("by the keyboard, the step that has the focus marks the board", async () => {
  const page = await open(`${AT}&player=theory`);
  await quiet(page);
  const before = await markedBoard(page);
  await page.locator("summary", { hasText: "How the tree decided" }).focus();
  for (const key of ["Enter", "Tab"]) await page.keyboard.press(key);
  assert.equal(await page.locator(":focus").getAttribute("data-step"), "1");
  assert.notEqual(await markedBoard(page), before);
  await page.keyboard.press("Enter");
  assert.equal(state(page).step, "1");
  assert.equal(await steps(page).first().evaluate((one) => one === document.activeElement), true);
  await close(page);
});

test("another move is held against the player's", async () => {
  const page = await open(`${AT}&player=theory`);
  await quiet(page);
  await page.locator(".move[data-uci=h1h5]").click();
  await quiet(page);
  const held = page.getByRole("article", { name: "Rh5+ instead" });
  assert.match(await held.innerText(), /Rh5\+ .*instead: /);
  assert.equal(await men(page), "Ka1 Rh5 kd5");
  await reload(page);
  const reply = held.getByRole("button", { name: /^The reply/ });
  await reply.click();
  assert.notEqual(await men(page), "Ka1 Rh5 kd5");
  assert.equal(await marks(page), "arrow");
  await reload(page);
  await page.getByRole("button", { name: "Before" }).click();
  assert.equal(await men(page), "Ka1 Rh1 kd5");
  await click(page, "a1b1");
  await quiet(page);
  assert.equal(state(page).instead, "h1h5,a1b1");
  await page.getByRole("button", { name: "Remove Rh5+" }).click();
  await quiet(page);
  assert.equal(await held.count(), 0);
  assert.equal(await page.getByRole("article").count(), 1);
  await reload(page);
  await close(page);
});

test("the player's move is played, and the next one explained", async () => {
  const page = await open(`${AT}&player=theory`);
  const first = await shown(page);
  await page.getByRole("button", { name: /^Play / }).click();
  await quiet(page);
  assert.equal(state(page).moves.split(",").length, 1);
  // The theory does not play the weak side: the table explains its move.
  assert.match(await page.getByRole("heading", { level: 2 }).first().innerText(), /^The table plays/);
  await reload(page);
  await page.getByRole("button", { name: /^Play / }).click();
  await quiet(page);
  assert.equal(state(page).moves.split(",").length, 2);
  assert.match(await page.getByRole("heading", { level: 2 }).first().innerText(), /^It plays/);
  await page.goBack();
  await page.goBack();
  // A step under the pointer would mark the board.
  await page.mouse.move(2, 2);
  await shows(page, first);
  await close(page);
});

test("a search says how it came to its move", async () => {
  const page = await open(`${AT}&player=search:depth%3D3`);
  await quiet(page);
  assert.match(await page.getByRole("heading", { level: 2 }).first().innerText(), /^It plays/);
  assert.ok((await page.locator(".panel").first().innerText()).length > 80);
  await close(page);
});

test("where a player has nothing to say, it says so and moves are played", async () => {
  const page = await open(`view=why&fen=${WHOLE}&player=theory`);
  await quiet(page);
  assert.match(await page.getByRole("alert").innerText(), /\w/);
  await cell(page, "e2").click();
  await cell(page, "e4").click();
  await quiet(page);
  assert.equal(state(page).moves, "e2e4");
  assert.ok(page.errors.splice(0).every((error) => error.includes("400")));
  await close(page);
});
