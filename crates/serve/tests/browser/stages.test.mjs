// Lessons in stages: what is there at once, what the table adds, exercises, and games whose results are stored.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";
import { click, forget, marks } from "./hand.mjs";

const one = house();
const { open } = one;
const ENDGAMES = { KQvK: 3, KRvK: 3, KPvK: 5, KBBvK: 3, KBNvK: 3 };
const ENDED = /aim is reached|Checkmate/;
const PATIENCE = 60000;

/** The server's answer. */
const ask = async (path, query) => {
  for (;;) {
    const response = await fetch(`${one.address}${path}?${new URLSearchParams(query)}`);
    const answer = await response.json();
    if (response.status !== 202) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
};

const height = (page) => page.evaluate(() => document.documentElement.scrollHeight);

describe("every endgame", () => {
  for (const [material, stages] of Object.entries(ENDGAMES)) {
    test(`${material} has a board before any table is solved, then counts`, async () => {
      const page = await open(`view=lesson&material=${material}`, { viewport: { width: 1280, height: 720 } });
      await page.locator(".rail-stage").first().waitFor();
      assert.equal(await page.locator(".rail-stage").count(), stages);
      assert.ok((await page.locator(".board-picture .man").count()) >= 3, "men are on the board");
      assert.ok((await page.locator(".board-picture .mark").count()) >= 1, "squares are marked");
      await quiet(page, PATIENCE);
      const proved = page.locator(".claim.proved");
      assert.ok((await proved.count()) >= 1);
      assert.match(await proved.first().innerText(), /^Proved[^]*positions are (won|drawn)/);
      assert.ok((await page.locator(".claim.advice").count()) >= 1);
      await axe(page);
      await close(page);
    });
  }
});

test("the moves of a stage's board have their numbers, and can be tried", async () => {
  const page = await open("view=lesson&material=KBBvK&stage=2", { colorScheme: "dark" });
  await quiet(page, PATIENCE);
  assert.match(await marks(page), /dot.*ring/);
  assert.doesNotMatch(await marks(page), /number/, "the numbers are folded away");
  const measured = page.locator("summary", { hasText: "How the computer measures this" });
  await measured.click();
  const { stages } = await ask("/api/stages", { material: "KBBvK" });
  const { moves } = await ask("/api/measured", { fen: stages[1].board.fen });
  const shown = page.locator("#main .move");
  assert.equal(await shown.count(), moves.length);
  // The moves with the same number stand in one row.
  const numbers = (await page.locator("#main .move-says").allInnerTexts()).map(Number);
  assert.ok(numbers.length && numbers.length === new Set(numbers).size, `${numbers}`);
  for (const { san, number } of moves)
    assert.equal(await page.locator(`#main .move[aria-label="${san}, ${number}"]`).count(), 1, `${san} ${number}`);
  assert.deepEqual(numbers, numbers.toSorted((a, b) => b - a), "Black looks for great numbers");
  await shown.first().click();
  await quiet(page);
  assert.ok(state(page).tried);
  await page.getByText(/^The number is -?\d/).waitFor();
  await axe(page);
  await measured.click();
  await reload(page);
  await page.getByRole("button", { name: "Back to the stage's board" }).click();
  await quiet(page);
  assert.equal(state(page).tried, undefined);
  await close(page);
});

test("a wrong move is refuted on the board, hints come in three steps, and the right move is kept", async () => {
  const page = await open("view=lesson&material=KPvK&tab=exercises&n=3", { viewport: { width: 1280, height: 720 } });
  await quiet(page, PATIENCE);
  assert.ok((await height(page)) <= 720, `it fits the window: ${await height(page)}`);
  await click(page, "b2b3");
  await page.getByText(/Kb3 gives the win away: Black answers Kb5/).waitFor();
  assert.ok(!(await page.locator(".refutation .error").innerText()).includes("Kc3"), "the answer is not given away");
  await page.locator(".line-move").nth(1).and(page.locator("[aria-current]")).waitFor();
  await page.getByRole("button", { name: "Next move" }).click();
  assert.match(await page.locator(".line span[role=status]").innerText(), /^3 of /);
  await axe(page);
  await page.getByRole("button", { name: "Take back" }).click();
  await quiet(page);
  for (const [name, words] of [["aim", /file of the black king/], ["piece", /Move the piece on b2/], ["move", /^Kc3\./]]) {
    await page.getByRole("button", { name: `Hint: the ${name}` }).click();
    await page.getByText(words).first().waitFor();
  }
  assert.equal(await marks(page), "arrow");
  await click(page, "b2c3");
  await page.getByText("Kc3 is right.").waitFor();
  assert.ok((await height(page)) <= 720, "it still fits");
  await page.reload();
  await quiet(page);
  assert.equal(await page.locator(".numbers .done").count(), 1);
  await page.getByRole("link", { name: /More exercises/ }).click();
  // The method of the pawn is proved anew, which takes long.
  await quiet(page, 2 * PATIENCE);
  assert.equal(state(page).of, "lesson");
  await close(page);
});

test("who follows the method masters a stage by three games, of which one is hard; progress is kept and forgotten", async () => {
  const at = "view=lesson&material=KPvK&tab=practice&stage=2";
  const page = await open(at, { viewport: { width: 1280, height: 720 } });
  await quiet(page, PATIENCE);
  assert.ok((await height(page)) <= 720, `it fits the window: ${await height(page)}`);
  const { positions } = await ask("/api/practice", { material: "KPvK", stage: 2 });
  assert.equal(await page.locator(".practice-list .hard").count(), positions.filter(({ most }) => most >= 4).length);
  const play = async (n) => {
    const { fen, most } = positions[n - 1];
    await page.locator(".practice-list button").nth(n - 1).click();
    await quiet(page);
    for (let i = 0; i <= most; i += 1) {
      if (ENDED.test(await page.locator("h2.outcome").innerText())) return;
      const { game = "" } = state(page);
      const { uci } = await ask("/api/answer", { fen, moves: game, player: "measure" });
      await click(page, uci);
      await page.waitForFunction((old) => (new URLSearchParams(location.search).get("game") ?? "") !== old, game);
      await quiet(page);
    }
    assert.fail(`the aim is not reached in ${most} moves from ${fen}`);
  };
  const says = (words) => page.locator(".mastery", { hasText: words }).waitFor();
  const hard = positions.findIndex(({ most }) => most >= 4) + 1;
  await says("Three good games to master it, one from a hard position");
  await play(1);
  await says("2 more good games to master it, one from a hard position");
  await page.getByRole("button", { name: "From the beginning" }).click();
  await play(1);
  await says("2 more good games to master it");
  await play(2);
  await play(3);
  await says("1 more good game to master it, from a hard position");
  await play(hard);
  await says("Mastered");
  await axe(page);
  await page.goto(`${one.address}/?view=lesson`);
  await quiet(page);
  assert.match(await page.locator(".lesson-card", { hasText: "King and pawn" }).innerText(), /1 of 5 stages mastered/);
  await page.goto(`${one.address}/?view=lesson&material=KRvK&tab=practice&stage=1`);
  await quiet(page, PATIENCE);
  await forget(page, "KRvK");
  await page.goto(`${one.address}/?${at}`);
  await quiet(page);
  await says("Mastered");
  await forget(page, "KPvK");
  await says("Three good games to master it");
  await close(page);
});

test("a win given away in practice is refuted, and taken back", async () => {
  const page = await open("view=lesson&material=KPvK&tab=practice&stage=4");
  await quiet(page, PATIENCE);
  const { positions } = await ask("/api/practice", { material: "KPvK", stage: 4 });
  const { moves } = await ask("/api/position", { fen: positions[0].fen });
  const spoils = moves.find(({ category }) => category === "draw");
  await click(page, spoils.uci);
  await quiet(page);
  await page.getByText(new RegExp(`${spoils.san} gives the win away`)).waitFor();
  await page.getByText(/keeps the win/).waitFor();
  assert.ok((await page.locator(".line-move").count()) >= 2);
  await axe(page);
  await page.locator(".refutation").getByRole("button", { name: "Take it back and try again" }).click();
  await quiet(page);
  assert.equal(state(page).game, undefined);
  await close(page);
});

test("stages are used by keyboard alone, and fit a narrow screen", async () => {
  const page = await open("view=lesson&material=KRvK", { viewport: { width: 390, height: 844 } });
  await quiet(page, PATIENCE);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await axe(page);
  await page.locator(".rail-stage").nth(1).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).stage, "2");
  await page.getByRole("link", { name: "Play it" }).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).tab, "practice");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.getByRole("button", { name: "Hint: the aim" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: "It forces" }).waitFor();
  await axe(page);
  await close(page);
});
