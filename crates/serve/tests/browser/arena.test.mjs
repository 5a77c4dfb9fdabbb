// The arena: games between any players, a human among them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { close, house, quiet, reload, shown, state } from "./browser.mjs";
import { click, men } from "./hand.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R+w+-+-+0+1";
const QUEEN = "8/8/8/8/3k4/8/3K4/3Q4+w+-+-+0+1";
const WHOLE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1";
const { open } = house();
const plies = (page) => (state(page).moves ?? "").split(",").filter(Boolean).length;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const until = (page, test, what) => page.waitForFunction(test, what, { timeout: 8000 });
const hasPlies = (page, least) =>
  until(page, (n) => (new URLSearchParams(location.search).get("moves") ?? "").split(",").length >= n, least);

test("a game is started, paused, loaded anew, gone on with and stopped", async () => {
  const page = await open(`view=arena&fen=${ROOK}&white=random&black=random&pause=0.1`);
  await quiet(page);
  assert.equal(await button(page, "Stop").getAttribute("aria-disabled"), "true");
  await button(page, "Start").click();
  await hasPlies(page, 3);
  await button(page, "Pause").click();
  await quiet(page);
  const paused = await shown(page);
  await page.waitForTimeout(400);
  assert.deepEqual(await shown(page), paused, "nothing moves while the game is paused");
  assert.match(paused.words.join("\n"), /to move, paused/);
  await reload(page);
  const before = plies(page);
  await button(page, "Continue").click();
  await hasPlies(page, before + 2);
  // In the middle of a game, what has been played is in the address.
  await page.reload();
  await quiet(page);
  assert.ok(plies(page) >= before + 2);
  assert.match((await shown(page)).words.join("\n"), /paused/);
  await button(page, "Stop").click();
  await quiet(page);
  assert.equal(plies(page), 0);
  assert.equal(await men(page), "Ka1 Rh1 kd5");
  await page.goBack();
  await quiet(page);
  assert.ok(plies(page) >= before + 2, "Back brings the stopped game back");
  await close(page);
});

test("a human plays against random moves", async () => {
  const page = await open(`view=arena&fen=${ROOK}&white=human&black=random&pause=0`);
  await quiet(page);
  await click(page, "h1h4");
  await hasPlies(page, 2);
  await click(page, "a1b2");
  await hasPlies(page, 4);
  await quiet(page);
  assert.match(await page.locator("p.outcome").innerText(), /^White to move on the board$/);
  await reload(page);
  await close(page);
});

test("the best players mate, and the game is saved as PGN", async () => {
  const page = await open(`view=arena&fen=${QUEEN}&white=tablebase&black=tablebase&pause=0`);
  await quiet(page);
  await button(page, "Start").click();
  await page.locator("p.outcome", { hasText: "Checkmate" }).waitFor({ timeout: 15000 });
  await quiet(page);
  await page.waitForTimeout(600);
  const saving = page.waitForEvent("download");
  await button(page, "Save as PGN").click();
  const pgn = await readFile(await (await saving).path(), "utf8");
  assert.match(pgn, /\[White "lucena tablebase"\]/);
  assert.match(pgn, /\[FEN "8\/8\/8\/8\/3k4\/8\/3K4\/3Q4 w/);
  assert.match(pgn, /# 1-0\s*$/);
  await reload(page);
  assert.equal(await button(page, "Play again").count(), 1);
  await close(page);
});

test("a position of the game is gone back to, and played on from", async () => {
  const page = await open(`view=arena&fen=${ROOK}&moves=h1h4,d5e5,a1b2,e5f5&white=human&black=human`);
  await quiet(page);
  await page.getByRole("button", { name: /^1\. Rh4/ }).click();
  await quiet(page);
  assert.equal(await men(page), "Ka1 Rh4 kd5");
  assert.equal(state(page).at, "1");
  await reload(page);
  await click(page, "d5c5");
  await hasPlies(page, 2);
  await until(page, () => new URLSearchParams(location.search).get("moves") === "h1h4,d5c5");
  await page.goBack();
  await quiet(page);
  assert.equal(plies(page), 4, "Back brings the other branch back");
  await close(page);
});

test("players, sides and the switches of a search are in the address", async () => {
  const page = await open(`view=arena&fen=${ROOK}`);
  await quiet(page);
  await page.getByLabel("White", { exact: true }).selectOption("search:depth=4");
  await quiet(page);
  await page.getByText("White: switches of the search").click();
  await page.getByLabel("Half-moves", { exact: true }).fill("2");
  await page.keyboard.press("Tab");
  await page.getByLabel(/null-move/).uncheck();
  assert.equal(state(page).white, "search:depth=2,off=null-move");
  await button(page, "Change sides").click();
  await quiet(page);
  assert.equal(state(page).black, "search:depth=2,off=null-move");
  await reload(page);
  await close(page);
});

test("a human who changes sides sits at the bottom of the board", async () => {
  const page = await open(`view=arena&fen=${ROOK}`);
  await quiet(page);
  const bottom = () => page.locator(".board-cell").last().getAttribute("data-square");
  assert.equal(await bottom(), "h1");
  await button(page, "Change sides").click();
  await quiet(page);
  assert.equal(state(page).black, "human");
  assert.equal(await bottom(), "a8");
  await button(page, "Change sides").click();
  await quiet(page);
  assert.equal(await bottom(), "h1");
  await close(page);
});

test("who cannot play a position says so", async () => {
  const page = await open(`view=arena&fen=${WHOLE}&white=theory&black=random`);
  await quiet(page);
  await button(page, "Start").click();
  assert.match(await page.getByRole("alert").innerText(), /\w/);
  assert.equal(await button(page, "Start").count(), 1);
  assert.ok(page.errors.splice(0).every((error) => error.includes("400")));
  await close(page);
});
