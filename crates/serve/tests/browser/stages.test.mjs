// Lessons in stages: what is there at once, what the table adds, exercises, and games whose results are stored.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";
import { click, marks } from "./hand.mjs";

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
      await page.locator(".stage-list a").first().waitFor();
      assert.equal(await page.locator(".stage-list a").count(), stages);
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
  assert.match(await marks(page), /dot.*number/);
  const { stages } = await ask("/api/stages", { material: "KBBvK" });
  const { moves } = await ask("/api/measured", { fen: stages[1].board.fen });
  const shown = page.locator("#main .move");
  assert.equal(await shown.count(), moves.length);
  const numbers = (await shown.locator("span").allInnerTexts()).map(Number);
  assert.deepEqual(numbers, numbers.toSorted((a, b) => b - a), "Black looks for great numbers");
  await shown.first().click();
  await quiet(page);
  assert.ok(state(page).tried);
  await page.getByText(/^The number is -?\d/).waitFor();
  await axe(page);
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
  for (const [name, words] of [["aim", /file of the black king/], ["man", /Move the man on b2/], ["move", /^Kc3\./]]) {
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
  await quiet(page, PATIENCE);
  assert.equal(state(page).of, "lesson");
  await close(page);
});

test("a stage is mastered by three good games, and progress is kept and cleared", async () => {
  const at = "view=lesson&material=KPvK&tab=practice&stage=2";
  const page = await open(at, { viewport: { width: 1280, height: 720 } });
  await quiet(page, PATIENCE);
  assert.ok((await height(page)) <= 720, `it fits the window: ${await height(page)}`);
  await page.getByText(/A stage is mastered when its last three games ended well/).waitFor();
  const { positions } = await ask("/api/practice", { material: "KPvK", stage: 2 });
  let won = 0;
  for (let n = 1; won < 3; n += 1) {
    await page.locator(".practice-list button").nth(n - 1).click();
    await quiet(page);
    for (let i = 0; i < 40; i += 1) {
      if (ENDED.test(await page.locator("h2.outcome").innerText())) break;
      const { n: at = 1, game = "" } = state(page);
      const { fen } = await ask("/api/game", { fen: positions[at - 1].fen, moves: game });
      const { moves } = await ask("/api/position", { fen });
      await click(page, moves[0].uci);
      await page.waitForFunction((old) => (new URLSearchParams(location.search).get("game") ?? "") !== old, game);
      await quiet(page);
    }
    if (!ENDED.test(await page.locator("h2.outcome").innerText())) continue;
    won += 1;
    const words = won < 3 ? `${won} of the last 3 games ended well` : "Mastered";
    await page.locator(".mastery", { hasText: words }).waitFor();
  }
  await axe(page);
  await page.goto(`${one.address}/?view=lesson&material=KPvK`);
  await quiet(page);
  assert.match(await page.locator(".endgames [aria-current]").innerText(), /1\/5/);
  assert.equal(await page.locator(".stage-list .done").count(), 1);
  await page.goto(`${one.address}/?${at}`);
  await quiet(page);
  await page.getByRole("button", { name: "Forget my progress" }).click();
  await page.locator(".mastery", { hasText: "0 of the last 3 games ended well" }).waitFor();
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
  await page.locator(".stage-list a").nth(1).focus();
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).stage, "2");
  await page.getByRole("link", { name: "Play this stage" }).focus();
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
