// Data: rows, attributes, distances, confusion, sufficiency.

import assert from "node:assert/strict";
import { test } from "node:test";
import { axe, close, house, quiet, reload, state } from "./browser.mjs";
import { cell, drag, markedBoard, men } from "./hand.mjs";

const { open } = house();
const example = (page) => page.locator("aside .small-board").getAttribute("aria-label");

test("rows show their boards, by class and by page", async () => {
  const page = await open("view=data");
  await quiet(page);
  assert.match(await page.locator("#main").innerText(), /28,056 rows/);
  const first = await example(page);
  await page.getByRole("button", { name: "Row 5: show its board" }).click();
  assert.notEqual(await example(page), first);
  await reload(page);
  await page.getByLabel("Class").selectOption({ index: 2 });
  await quiet(page);
  await page.getByRole("button", { name: "Next page" }).click().catch(() => {});
  await quiet(page);
  await reload(page);
  await page.getByLabel("Attributes").selectOption("geometric");
  await quiet(page);
  assert.ok(await page.locator("thead th").count() > 15);
  await reload(page);
  await close(page);
});

test("an attribute lights up on the board, which is set up by hand", async () => {
  const page = await open("view=data&tab=attributes&fen=8/8/8/3k4/8/8/8/K6R+w+-+-+0+1");
  await quiet(page);
  const list = page.locator(".attribute");
  const seen = new Set();
  for (let i = 0; i < 5; i += 1) {
    await list.nth(i).hover();
    seen.add(await markedBoard(page));
  }
  assert.ok(seen.size > 1);
  await list.nth(1).click();
  await reload(page);
  await drag(page, cell(page, "h1"), cell(page, "h4"));
  await quiet(page);
  assert.match(state(page).fen, /^8\/8\/8\/3k4\/7R/);
  assert.equal(await men(page), "Ka1 Rh4 kd5");
  await page.getByLabel("Search").fill("edge");
  await page.waitForTimeout(350);
  await quiet(page);
  for (const words of await list.allInnerTexts()) assert.match(words, /edge/i);
  await reload(page);
  await close(page);
});

test("a row of the histogram gives an example", async () => {
  const page = await open("view=data&tab=histogram&material=KRvK");
  await quiet(page);
  const bars = page.locator(".bar-chart rect.bar");
  assert.equal(await bars.count(), await page.locator(".bars tbody tr").count(), "a bar for each row");
  const row = page.getByRole("button", { name: "mated in 3", exact: true });
  await row.click();
  assert.match(await page.locator("aside").innerText(), /3 moves to mate/);
  assert.ok(await example(page));
  assert.equal(await row.evaluate((one) => one === document.activeElement), true);
  await reload(page);
  // A bar of the chart is chosen like its row.
  await bars.nth(5).click();
  const chosen = page.locator(".bars tr.chosen button");
  assert.match(await bars.nth(5).locator("title").textContent(), new RegExp(`^${await chosen.innerText()}: `));
  await row.click();
  await page.getByRole("complementary", { name: "An example" }).getByRole("link", { name: "Explore" }).click();
  await quiet(page);
  assert.match(await page.locator(".outcome").first().innerText(), /mates in 3/);
  await close(page);
});

test("a cell of the confusion matrix gives boards, by mouse and keyboard", async () => {
  const page = await open("view=data&tab=confusion&material=KRvK&player=theory");
  await quiet(page);
  const boards = page.getByRole("region", { name: "Boards of the cell" });
  const filled = page.locator(".matrix td:not(.none)");
  await filled.first().click();
  await quiet(page);
  assert.ok(await boards.locator(".small-board").count() >= 1);
  await reload(page);
  await filled.first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".matrix td:focus").count(), 1);
  await page.keyboard.press("Home");
  for (let i = 0; i < 54 && !(await page.locator(".matrix td:focus").innerText()); i += 1) {
    await page.keyboard.press("ArrowRight");
  }
  const chosen = await page.locator(".matrix td:focus").getAttribute("data-cell");
  await page.keyboard.press("Enter");
  await quiet(page);
  assert.equal(state(page).cell, chosen);
  assert.equal(await page.locator(".matrix td[aria-selected=true]").getAttribute("data-cell"), chosen);
  assert.match(await boards.getByRole("heading").innerText(), /rows?: .*, answered rank \d+ of 54/);
  await axe(page);
  await close(page);
});

test("a cell with many boards has pages, and a class has one colour everywhere", async () => {
  const page = await open("view=data&tab=confusion&material=KRvK&player=exact&cell=13,13", { colorScheme: "dark" });
  await quiet(page);
  const boards = page.getByRole("region", { name: "Boards of the cell" });
  assert.equal(await boards.locator(".small-board").count(), 12);
  const first = await boards.locator(".small-board").first().getAttribute("aria-label");
  await boards.getByRole("button", { name: "Next page" }).click();
  await quiet(page);
  assert.equal(state(page).boards, "12");
  assert.notEqual(await boards.locator(".small-board").first().getAttribute("aria-label"), first);
  await reload(page);
  await axe(page);
  const color = (place) => place.evaluate((one) => getComputedStyle(one).backgroundColor);
  const nine = await color(page.locator(".matrix tbody tr", { has: page.getByRole("rowheader", { name: "nine", exact: true }) })
    .locator(".swatch"));
  await page.goto(page.url().replace(/\?.*/, "?view=data&tab=histogram&material=KRvK"));
  await quiet(page);
  const bar = page.locator(".bars tr", { has: page.getByRole("button", { name: "mated in 9", exact: true }) });
  assert.equal(await color(bar.locator(".share > span")), nine);
  await page.goto(page.url().replace(/\?.*/, "?view=data&tab=histogram&material=KRvK&turn=white"));
  await quiet(page);
  const white = page.getByRole("button", { name: "mate in 9", exact: true });
  assert.equal(await color(page.locator(".bars tr", { has: white }).locator(".share > span")), nine);
  await white.click();
  await quiet(page);
  assert.match(await page.locator("aside").innerText(), /9 moves to mate/);
  await close(page);
});

test("a learner is taught now and its mistakes are shown", async () => {
  const page = await open("view=data&tab=confusion&material=KRvK&learner=cart&share=30");
  await quiet(page);
  await page.locator(".matrix td.wrong").first().click();
  await quiet(page);
  assert.ok(await page.locator(".examples .small-board").count() >= 1);
  await reload(page);
  await close(page);
});

test("clashes are shown where attributes are not enough", async () => {
  const page = await open("view=data&tab=sufficiency&material=KRvK&set=geometric");
  await quiet(page, 30000);
  assert.match(await page.locator("p.outcome").innerText(), /\w+ \w+/);
  await page.getByLabel("Attributes", { exact: true }).focus();
  await page.getByLabel("Attributes", { exact: true }).selectOption("location");
  await quiet(page, 30000);
  assert.equal(await page.getByLabel("Attributes", { exact: true }).evaluate((one) => one === document.activeElement), true);
  await reload(page);
  await close(page);
});
