// The keys and the wheel for a board with a line or a game, in all views that have one.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet, state } from "./browser.mjs";
import { cell, men } from "./hand.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const at = (view, rest = "") => `view=${view}&fen=${ROOK.replaceAll(" ", "+")}${rest}`;
const { open } = house();

async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await quiet(page);
  }
}

describe("the keys in Explore", () => {
  test("step through the game and on into the best line", async () => {
    const page = await open(at("explore", "&moves=h1h4,d5e5"));
    await quiet(page);
    await press(page, "ArrowLeft");
    assert.equal(await men(page), "Ka1 Rh4 kd5");
    await press(page, "Home");
    assert.equal(await men(page), "Ka1 Rh1 kd5");
    await press(page, "ArrowRight", "ArrowRight");
    assert.equal(await men(page), "Ka1 Rh4 ke5");
    assert.equal(state(page).line, undefined);
    await press(page, "ArrowRight");
    assert.deepEqual([state(page).line, state(page).ply], ["best", "1"]);
    await press(page, "End");
    assert.match(await page.locator(".line .steps").first().innerText(), /(\d+) of \1/);
    await press(page, "Home");
    assert.equal(state(page).line, undefined, "first to the position before the line");
    assert.equal(await men(page), "Ka1 Rh4 ke5");
    await press(page, "Home");
    assert.equal(state(page).at, "0");
    await close(page);
  });

  test("flip the board, and put down what is picked up", async () => {
    const page = await open(at("explore"));
    await quiet(page);
    await press(page, "f");
    assert.equal(state(page).flip, "1");
    await press(page, "f");
    assert.equal(state(page).flip, undefined);
    await cell(page, "h1").click();
    assert.notEqual(await page.locator(".aims .aim").count(), 0);
    await page.locator("h1").click();
    await press(page, "Escape");
    assert.equal(await page.locator(".aims .aim").count(), 0);
    await close(page);
  });

  test("are left to fields, lists and the squares of the board", async () => {
    const page = await open(at("explore"));
    await quiet(page);
    await page.getByLabel("Position (FEN)").focus();
    await press(page, "ArrowRight", "f", "End", "?");
    assert.deepEqual([state(page).line, state(page).flip], [undefined, undefined]);
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.getByLabel("Find", { exact: true }).focus();
    await press(page, "ArrowRight");
    assert.equal(state(page).line, undefined);
    await cell(page, "c3").click();
    await press(page, "ArrowRight");
    assert.equal(await page.locator(":focus").getAttribute("data-square"), "d3");
    assert.equal(state(page).line, undefined);
    await close(page);
  });

  test("are explained by ? and by a button", async () => {
    for (const viewport of [{ width: 390, height: 780 }, { width: 1280, height: 720 }]) {
      const page = await open(at("explore"), { viewport, colorScheme: viewport.width < 400 ? "dark" : "light" });
      await quiet(page);
      await press(page, "?");
      const help = page.getByRole("dialog");
      assert.match(await help.innerText(), /Flip the board/);
      await axe(page, ".keys-help");
      await press(page, "ArrowRight");
      assert.equal(state(page).line, undefined, "the board behind it stays");
      await press(page, "Escape");
      assert.equal(await help.count(), 0);
      await page.getByRole("button", { name: "Keys" }).click();
      assert.equal(await help.count(), 1);
      await page.getByRole("button", { name: "Close" }).click();
      assert.equal(await page.locator(":focus").getAttribute("aria-label"), "Keys of the board");
      await close(page);
    }
  });

  test("the wheel steps through the line and leaves the page to scroll at its ends", async () => {
    const page = await open(at("explore"));
    await quiet(page);
    const wheel = async (by) => {
      await page.waitForTimeout(120);
      await cell(page, "e4").hover();
      await page.mouse.wheel(0, by);
      await quiet(page);
    };
    await wheel(100);
    await wheel(100);
    assert.equal(state(page).ply, "2");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await wheel(-100);
    await wheel(-100);
    assert.equal(state(page).line, undefined);
    await page.evaluate(() => scrollTo(0, 60));
    await wheel(-50);
    await page.waitForFunction(() => scrollY < 60);
    await close(page);
  });
});

test("the keys in Why go to the position before the move and back through the game", async () => {
  const page = await open(at("why", "&moves=h1h4,d5e5&player=theory"));
  await quiet(page);
  const after = await men(page);
  await press(page, "ArrowLeft");
  assert.equal(state(page).show, "before");
  assert.equal(await men(page), "Ka1 Rh4 ke5");
  await press(page, "ArrowRight");
  assert.equal(await men(page), after);
  await press(page, "Home");
  assert.equal(await men(page), "Ka1 Rh1 kd5");
  await press(page, "End", "f");
  assert.equal(await men(page), after);
  assert.equal(state(page).flip, "1");
  await close(page);
});

test("the keys in Arena go through the game", async () => {
  const page = await open(at("arena", "&moves=h1h4,d5e5&white=human&black=tablebase"));
  await quiet(page);
  await press(page, "ArrowLeft");
  assert.equal(await men(page), "Ka1 Rh4 kd5");
  await press(page, "Home");
  assert.equal(await men(page), "Ka1 Rh1 kd5");
  await press(page, "End", "f");
  assert.equal(await men(page), "Ka1 Rh4 ke5");
  assert.equal(state(page).flip, "1");
  await page.getByRole("button", { name: "Keys" }).click();
  await axe(page, ".keys-help");
  await close(page);
});
