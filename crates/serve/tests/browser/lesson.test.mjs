// The lessons of players: text and exercises; practice of whole games, whose progress is stored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, openTab, quiet, reload, state } from "./browser.mjs";
import { click, forget, marks } from "./hand.mjs";

const AT = "view=lesson&material=KRvK&player=strategy";
const one = house();
const { open } = one;
const head = (page) => page.locator("h2.outcome").innerText();

/** The server's answer. */
const ask = async (path, query) => {
  for (;;) {
    const response = await fetch(`${one.address}${path}?${new URLSearchParams(query)}`);
    const answer = await response.json();
    if (response.status !== 202) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
};

/** The position of the practice, after the moves so far. */
async function now(page) {
  const { material, player, side = "strong", n = 1, game = "" } = state(page);
  const { positions } = await ask("/api/practice", { material, player, side });
  const start = side === "weak" ? positions.filter(({ moves }) => moves > 2) : positions;
  return ask("/api/game", { fen: start[n - 1].fen, moves: game });
}

/** Plays the first of the best moves, or the n-th, and waits for the answer. */
async function playBest(page, choose = (moves) => moves[0]) {
  const { fen } = await now(page);
  const { moves } = await ask("/api/position", { fen });
  const before = state(page).game ?? "";
  await click(page, choose(moves).uci);
  await page.waitForFunction(
    (old) => (new URLSearchParams(location.search).get("game") ?? "").length > old.length, before);
  await quiet(page);
}

test("a lesson is read, and its games are stepped through", async () => {
  const page = await open(`${AT}&tab=lesson`);
  await quiet(page);
  assert.match(await page.locator("article h2").innerText(), /KRvK/);
  assert.ok(await page.locator("article figure svg").count() >= 1);
  const game = page.locator(".lesson-game").first();
  await game.getByRole("button", { name: "Next move" }).click();
  assert.equal(await game.locator(".line-move[aria-current]").count(), 1);
  await close(page);
});

test("the lesson of a measure has boards, and a game in which the number falls", async () => {
  const page = await open("view=lesson&material=KRvK&player=measure&tab=lesson");
  await quiet(page, 30000);
  const headings = await page.locator("article h3").allInnerTexts();
  for (const heading of ["The number", "What to do first", "When the number does not fall at once", "How it ends",
    "The hardest position", "The longest game"]) assert.ok(headings.includes(heading), heading);
  assert.equal(await page.locator("article figure svg.small-board:not(.swatch)").count(), 5);
  assert.ok((await page.locator("article figure .shade").count()) > 20, "the room is shaded");
  const numbers = (await page.locator(".measured").allInnerTexts()).map(Number);
  assert.ok(numbers.length > 10 && numbers.at(-1) < numbers[0], numbers.join());
  assert.deepEqual(numbers, numbers.toSorted((one, next) => next - one));
  const game = page.locator(".lesson-game").first();
  await game.getByRole("button", { name: "Next move" }).click();
  assert.match(await game.locator("span[role=status]").innerText(), /forces \d+ in \d moves; the number is \d+ now/);
  await axe(page);
  await page.getByRole("link", { name: "To the 6 exercises" }).click();
  await quiet(page);
  const { exercises } = await ask("/api/lesson", { material: "KRvK", player: "measure" });
  const [{ fen, solutions }] = exercises;
  const { moves } = await ask("/api/game", { fen });
  await click(page, moves.find(({ uci }) => !solutions.includes(uci)).uci);
  await page.getByText(/is not the right move/).waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await page.getByRole("button", { name: "Show the answer" }).click();
  await page.getByText(/forces only \d+ in \d moves/).waitFor();
  await close(page);
});

test("two bishops are taught by a measure, and a hint does not name the move", async () => {
  const page = await open("view=lesson&material=KBBvK&tab=practice");
  await quiet(page, 60000);
  assert.equal(await page.getByLabel("Taught by", { exact: true }).inputValue(), "measure");
  await page.getByRole("button", { name: "Hint: the aim" }).click();
  await quiet(page, 30000);
  const hint = page.locator(".notice").filter({ hasText: "It forces" });
  assert.match(await hint.innerText(), /^It forces (mate|the number -?\d+) /);
  await close(page);
});

test("a lesson is saved as one file", async () => {
  const page = await open(`${AT}&tab=lesson`);
  await quiet(page, 30000);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save this lesson as one file" }).click();
  const saved = await saving;
  assert.equal(saved.suggestedFilename(), "KRvK.html");
  const stream = await saved.createReadStream();
  let text = "";
  for await (const part of stream.setEncoding("utf8")) text += part;
  assert.match(text, /^<!doctype html>/);
  assert.match(text, /<\/html>\n$/);
  await close(page);
});

test("rules teach who wins rook and pawn against rook, without its table", async () => {
  const page = await open("view=lesson&material=KRvK");
  await quiet(page);
  await page.getByRole("link", { name: "All lessons" }).click();
  await page.locator(".lesson-card", { hasText: "Lucena and Philidor" }).click();
  await quiet(page);
  assert.match(await head(page), /KRPvKR in 6 stages/);
  const text = await page.locator("article").innerText();
  for (const words of ["Lucena's bridge", "Philidor's third rank", "Vancura's defence", "no exception"])
    assert.ok(text.includes(words), words);
  assert.ok(await page.locator("article figure svg.small-board:not(.swatch)").count() >= 6);
  await page.getByLabel("Taught by", { exact: true }).selectOption("Rules about who wins");
  await page.locator(".rail").getByRole("link", { name: "Try", exact: true }).click();
  await quiet(page);
  assert.equal(state(page).player, undefined, "other views would not know rules as a player");
  await page.getByRole("button", { name: "Exercise 3", exact: true }).click();
  await quiet(page);
  await click(page, "h1a1");
  await page.getByText("Ra1 is not the right move").waitFor();
  await page.getByText(/The table of KRPvKR is not here/).waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await quiet(page);
  await click(page, "h1h6");
  await page.getByText("Rh6 is right.").waitFor();
  assert.deepEqual(page.errors.filter((error) => !error.includes("/api/refutation")), []);
  page.errors.length = 0;
  await axe(page);
  await close(page);
});

test("an exercise is solved wrongly and rightly", async () => {
  const page = await open(`${AT}&tab=exercises&of=lesson`);
  await quiet(page, 30000);
  const { exercises } = await ask("/api/lesson", { material: "KRvK", player: "strategy" });
  const [{ fen, solutions }] = exercises;
  const { moves } = await ask("/api/game", { fen });
  const wrong = moves.find(({ uci }) => !solutions.includes(uci)).uci;
  await click(page, wrong);
  await page.getByText(/is not the right move/).waitFor();
  await page.getByRole("button", { name: "Take back" }).click();
  await quiet(page);
  await click(page, solutions[0]);
  await page.getByText(/is right\./).waitFor();
  await page.getByRole("button", { name: "Next exercise" }).click();
  await quiet(page);
  assert.equal(state(page).n, "2");
  await reload(page);
  await page.getByRole("button", { name: "Show the answer" }).click();
  assert.equal(await marks(page), "arrow");
  await close(page);
});

test("a whole game is won, and remembered as mastered", async () => {
  const page = await open(`${AT}&tab=practice`);
  await quiet(page);
  const list = page.locator(".practice-list button");
  const { positions } = await ask("/api/practice", { material: "KRvK", player: "strategy" });
  const n = positions.findIndex(({ moves }) => moves >= 4) + 1;
  await list.nth(n - 1).click();
  await quiet(page);
  for (let i = 0; i < 20 && !/Checkmate/.test(await head(page)); i += 1) {
    await playBest(page);
    if (i === 1) await reload(page);
  }
  assert.match(await head(page), /Checkmate. White wins/);
  await page.getByText("This position is mastered.").waitFor();
  assert.match(await page.locator("#main").innerText(), /Moves over the best: 0/);
  const mastered = page.locator(".practice-list .done");
  assert.equal(await mastered.count(), 1);
  await reload(page);
  const tab = await openTab(page.context(), page.url().replace(/&game=[^&]*/, ""));
  await quiet(tab);
  assert.equal(await tab.locator(".practice-list .done").count(), 1, "another tab knows it too");
  await page.getByText(/1 of \d+ positions mastered/).waitFor();
  await forget(page, "KRvK");
  assert.equal(await mastered.count(), 0);
  assert.deepEqual(tab.errors, []);
  await close(page);
});

test("a slip is told, taken back, and hints come in three steps", async () => {
  const page = await open(`${AT}&tab=practice&n=8`);
  await quiet(page);
  const slow = (moves) => moves.findLast(({ category, dtm }) => category === "loss" && dtm !== null);
  await playBest(page, slow);
  assert.match(await page.locator("#main").innerText(), /takes \d+ moves? more: \S+ was better/);
  await reload(page);
  await page.getByRole("button", { name: "Take back" }).click();
  await quiet(page);
  assert.equal(state(page).game, undefined);
  assert.equal(await marks(page), "");
  for (const name of ["Hint: the aim", "Hint: the piece", "Hint: the move"]) {
    await page.getByRole("button", { name }).click();
    await quiet(page);
  }
  assert.equal(await marks(page), "arrow");
  await reload(page);
  await close(page);
});

test("the weak side is played against the theory", async () => {
  const page = await open("view=lesson&material=KRvK&player=theory&tab=practice&side=weak");
  await quiet(page);
  assert.match(await page.locator("#main").innerText(), /You play Black/);
  for (let i = 0; i < 2; i += 1) await playBest(page);
  assert.match(await head(page), /Black to move|Checkmate/);
  await reload(page);
  await close(page);
});
