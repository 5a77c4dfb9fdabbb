// Explore: moves by mouse, finger and keyboard, lines of play, set-up, history.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, openTab, quiet, reload, shown, shows, state } from "./browser.mjs";
import { cell, click, drag, marks, men, swipe } from "./hand.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
const PAWN = "8/6P1/8/8/8/2k5/8/K7 w - - 0 1";
const at = (fen, rest = "") => `view=explore&fen=${fen.replaceAll(" ", "+")}${rest}`;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const { open } = house();
const outcome = (page) => page.locator(".outcome").first().innerText();

describe("moves", () => {
  test("by a drag, with what is then known of the position", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    assert.match(await outcome(page), /^White mates in 15/);
    await drag(page, cell(page, "a1"), cell(page, "b2"));
    await quiet(page);
    assert.equal(state(page).moves, "a1b2");
    assert.match(await outcome(page), /^White mates in 14/);
    assert.equal(await men(page), "Kb2 Rh1 kd5");
    await reload(page);
    await close(page);
  });

  test("by taps and by a finger's drag", async () => {
    const page = await open(at(ROOK), PHONE);
    await quiet(page);
    await cell(page, "h1").tap();
    await cell(page, "h4").tap();
    await quiet(page);
    await swipe(page, cell(page, "d5"), cell(page, "e5"));
    await quiet(page);
    assert.equal(state(page).moves, "h1h4,d5e5");
    await reload(page);
    await close(page);
  });

  test("by the keyboard alone, from the start of the page", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    for (let i = 0; i < 20; i += 1) {
      await page.keyboard.press("Tab");
      if (await page.locator(".board-grid :focus").count()) break;
    }
    await page.keyboard.press("Enter");
    for (const key of ["ArrowUp", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    await quiet(page);
    assert.equal(state(page).moves, "a1b2");
    assert.equal(await page.locator(":focus").getAttribute("data-square"), "b2");
    // Then to the list of moves, where the arrow keys choose another move than the first.
    for (let i = 0; i < 20; i += 1) {
      await page.keyboard.press("Tab");
      if (await page.locator(".move:focus").count()) break;
    }
    await page.keyboard.press("ArrowDown");
    const second = await page.locator(".move:focus").getAttribute("data-uci");
    await page.keyboard.press("Enter");
    await quiet(page);
    assert.equal(state(page).moves, `a1b2,${second}`);
    assert.equal(await page.locator(".move:focus").count(), 1, "the keyboard stays in the list");
    await close(page);
  });

  test("from the list, which points at them on the board", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    assert.equal(await marks(page), "");
    await page.locator(".move[data-uci=h1h5]").hover();
    assert.equal(await marks(page), "arrow");
    await page.locator(".move[data-uci=h1h5]").click();
    await quiet(page);
    assert.equal(state(page).moves, "h1h5");
    assert.equal(await men(page), "Ka1 Rh5 kd5");
    await reload(page);
    await close(page);
  });

  test("a pawn becomes what is chosen", async () => {
    const page = await open(at(PAWN));
    await quiet(page);
    await click(page, "g7g8r");
    await quiet(page);
    assert.equal(state(page).moves, "g7g8r");
    assert.equal(await men(page), "Ka1 Rg8 kc3");
    assert.equal(await page.locator("h1").innerText(), "Rook against the bare king");
    assert.equal(await page.getByRole("combobox", { name: "Endgame" }).inputValue(), "KRvK - rook against the bare king");
    await reload(page);
    await close(page);
  });

  test("are taken back and played again, by buttons and by the browser", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    const begin = await shown(page);
    await click(page, "h1h4");
    await quiet(page);
    await click(page, "d5e5");
    const end = await shown(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await quiet(page);
    assert.equal(await men(page), "Ka1 Rh4 kd5");
    await reload(page);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.deepEqual((await shown(page)).men, end.men);
    for (let i = 0; i < 4; i += 1) await page.goBack();
    await shows(page, begin);
    await page.goForward();
    await page.goForward();
    await shows(page, end);
    await close(page);
  });
});

describe("lines of play", () => {
  test("are stepped through on the board, and gone on from", async () => {
    const page = await open(at(ROOK, "&player=theory"));
    await quiet(page);
    assert.match(await page.locator("#main").innerText(), /It mates in \d+ moves/);
    await page.getByRole("group", { name: "Best play" }).getByRole("button").nth(1).click();
    assert.equal(state(page).ply, "2");
    await reload(page);
    await page.getByRole("button", { name: "Continue from here" }).click();
    await quiet(page);
    assert.equal(state(page).moves.split(",").length, 2);
    await close(page);
  });

  test("each player has its own", async () => {
    const page = await open(at(ROOK, "&player=theory"));
    await quiet(page);
    await page.getByLabel("The line of", { exact: true }).selectOption("strategy");
    await quiet(page);
    assert.equal(await page.getByRole("group", { name: "The line of strategy" }).count(), 1);
    await reload(page);
    await close(page);
  });
});

describe("set-up", () => {
  test("what is wrong is said, and what is right is shown", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    await page.getByRole("button", { name: "Set up" }).click();
    await drag(page, cell(page, "a1"), cell(page, "d4"));
    await quiet(page);
    const wrong = page.locator("ul.error");
    assert.match(await wrong.innerText(), /king/i);
    assert.equal(await page.getByRole("button", { name: "Done" }).isDisabled(), true);
    await reload(page);
    await drag(page, cell(page, "d4"), cell(page, "d3"));
    await quiet(page);
    assert.equal(await wrong.count(), 0);
    assert.match(await page.locator("#main").innerText(), /The position is legal: KRvK/);
    await page.getByRole("button", { name: "Done" }).click();
    await quiet(page);
    assert.equal(await men(page), "Kd3 Rh1 kd5");
    assert.match(await outcome(page), /^White mates in/);
    await close(page);
  });

  test("Cancel brings back the game", async () => {
    const page = await open(at(ROOK, "&moves=h1h4,d5e5&at=1"));
    const before = await shown(page);
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("button", { name: "Clear the board" }).click();
    await quiet(page);
    assert.equal(await men(page), "");
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(await shown(page), before);
    await close(page);
  });
});

describe("other positions", () => {
  test("a random one, turned, and read from FEN and PGN", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    await page.getByLabel("Find", { exact: true }).selectOption("distance");
    await page.getByLabel("Moves", { exact: true }).fill("7");
    await page.getByLabel("To move").last().selectOption("white");
    // The same question is asked below the moves and above the board.
    for (const name of ["Find one", "Random"]) {
      await page.getByLabel("Position (FEN)").fill(ROOK);
      await page.getByRole("button", { name: "Show", exact: true }).click();
      await quiet(page);
      await page.getByRole("button", { name, exact: true }).click();
      await quiet(page);
      assert.match(await outcome(page), /^White mates in 7/, name);
    }
    await page.getByLabel("Position (FEN)").fill(ROOK);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await quiet(page);
    await page.getByRole("button", { name: "Mirror left and right" }).click();
    await quiet(page);
    assert.equal(await men(page), "Kh1 Ra1 ke5");
    await page.getByText("PGN", { exact: true }).click();
    await page.getByLabel("A game to read (PGN)").fill("1. e4 e5 2. Nf3 *");
    await page.getByRole("button", { name: "Read", exact: true }).click();
    await quiet(page);
    assert.equal(state(page).moves, "e2e4,e7e5,g1f3");
    assert.match(await outcome(page), /32 pieces: not solved/);
    await close(page);
  });
});

describe("the page", () => {
  test("two tabs do not disturb each other", async () => {
    const one = await open(at(ROOK));
    const two = await openTab(one.context(), one.url().replace("explore", "why"));
    await Promise.all([quiet(one), quiet(two)]);
    const seen = await shown(two);
    await click(one, "h1h4");
    await quiet(one);
    assert.deepEqual(await shown(two), seen);
    assert.equal(state(one).moves, "h1h4");
    assert.deepEqual(two.errors, []);
    await close(one);
  });

  test("back and forward go through the views", async () => {
    const page = await open(at(ROOK));
    const seen = [await shown(page)];
    for (const [links, name, heading] of [
      ["#views", "Why", "Why"],
      ["#groups", "Play", "Play"],
      ["#groups", "Laboratory", "Trees"],
      ["#views", "Experiments", "Experiments"],
    ]) {
      await page.locator(links).getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      assert.equal(await page.locator("h1:focus").innerText(), heading, "the keyboard begins at the heading");
      seen.push(await shown(page));
    }
    for (const before of seen.slice(0, -1).reverse()) {
      await page.goBack();
      await shows(page, before);
    }
    for (const after of seen.slice(1)) {
      await page.goForward();
      await shows(page, after);
    }
    await close(page);
  });

  test("an error is shown as the server says it", async () => {
    const page = await open("view=explore&fen=8/8/8/3k4/3K4/8/8/8+w+-+-+0+1");
    await quiet(page);
    assert.match(await page.getByRole("alert").innerText(), /\w.*\.$/);
    assert.equal(await page.getByLabel("Position (FEN)").inputValue(), "8/8/8/3k4/3K4/8/8/8 w - - 0 1");
    await page.getByRole("button", { name: "Set it up" }).click();
    await quiet(page);
    assert.equal(await men(page), "Kd4 kd5", "it can be mended by hand");
    assert.match(page.errors.pop(), /400/);
    await close(page);
  });
});

// The black king attacks the rook: White must save it, or Black takes it.
const MIXED = "8/8/2R5/1k6/8/8/8/K7 w - - 0 1";
const HANGING = "8/8/8/8/8/1k6/2R5/K7 b - - 0 1";

describe("what a move is worth", () => {
  for (const [how, options] of [["light", {}], ["dark, on a phone", { ...PHONE, colorScheme: "dark" }]])
    test(`is on the squares when a man is picked up: ${how}`, async () => {
      const page = await open(at(MIXED), options);
      await quiet(page);
      await cell(page, "c6").click();
      const aims = await page.locator(".aims .aim").evaluateAll((all) =>
        all.map((one) => `${one.dataset.outcome} ${one.getAttribute("class").split(" ").at(-1)}`).sort());
      assert.deepEqual([...new Set(aims)], ["draw drawn", "win white-wins"]);
      const labels = await page.locator(".board-cell.aimed").evaluateAll((all) => all.map((one) => one.ariaLabel));
      assert.ok(labels.some((words) => /legal move, wins, mate in \d+$/.test(words)), `${labels}`);
      assert.ok(labels.some((words) => /legal move, draws$/.test(words)), `${labels}`);
      await axe(page);
      await close(page);
    });

  test("has the colour of the side that wins, whoever moves", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    const groups = () => page.locator(".move-group").evaluateAll((all) =>
      all.map((one) => `${one.querySelector("h3").textContent} ${one.className}`));
    assert.match((await groups()).join(), /^White wins 16 move-group white-wins$/);
    await page.locator(".move[data-uci=a1b2]").click();
    await quiet(page);
    assert.match((await groups()).join(), /^White wins \d+ move-group white-wins$/);
    assert.match(await page.locator(".outcome").first().getAttribute("class"), /white-wins/);
    assert.match(await page.locator(".winner-legend").innerText(), /White wins\s+Draw\s+Black wins/);
    await page.goto(page.url().replace(/fen=.*/, `fen=${HANGING.replaceAll(" ", "+")}`));
    await quiet(page);
    assert.deepEqual((await groups()).map((one) => one.replaceAll(/ \d+/g, "")),
      ["Draw move-group drawn", "White wins move-group white-wins"]);
    await page.goto(page.url().replace("view=explore", "view=why"));
    await quiet(page);
    // The only move that draws is the one that is explained; the others are below it.
    assert.match(await page.locator(".move-group.white-wins h3").innerText(), /^White wins/);
    await axe(page);
    await close(page);
  });

  test("stands before the moves of which it is true, the quickest mate first", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    const rows = await page.locator(".move-group.white-wins .move-row").evaluateAll((all) =>
      all.map((row) => [row.querySelector(".move-says").textContent, [...row.querySelectorAll(".move")].map((one) => one.ariaLabel)]));
    const distances = rows.map(([says]) => Number(/^mate in (\d+)$/.exec(says)[1]));
    assert.deepEqual(distances, [...new Set(distances)].sort((one, other) => one - other));
    for (const [says, labels] of rows)
      for (const label of labels) assert.ok(label.endsWith(`, ${says}`), `${label} in the row of ${says}`);
    assert.equal(rows.flatMap(([, labels]) => labels).length, 16);
    await close(page);
  });

  test("the best move is drawn when it is asked for, and taken away again", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    const best = page.getByRole("button", { name: "Best move" });
    await best.click();
    assert.equal(await marks(page), "arrow");
    assert.equal(await best.getAttribute("aria-pressed"), "true");
    assert.match(await cell(page, "a1").getAttribute("title"), /^the best move, K\w+, mate in 15/);
    await page.locator(".move").nth(5).hover();
    await page.locator("h1").hover();
    assert.equal(await marks(page), "arrow", "it is there again after another move was pointed at");
    await reload(page);
    await page.keyboard.press("b");
    await quiet(page);
    assert.equal(await marks(page), "");
    await page.keyboard.press("b");
    assert.equal(await marks(page), "arrow");
    await close(page);
  });
});

describe("what is asked", () => {
  test("an endgame that takes long is offered to be solved, and the answer follows", async () => {
    const page = await open("view=explore&fen=8/8/8/8/7k/8/8/KQQQ4+w+-+-+0+1");
    await quiet(page);
    const offer = page.locator(".solve-offer");
    await offer.getByText(/is not solved yet\.$/).waitFor();
    assert.match(await offer.innerText(), /takes about \d+ seconds and \d+ MB of memory/);
    assert.equal(await page.getByRole("button", { name: "Best move" }).isVisible(), false);
    await axe(page);
    const listening = [];
    page.on("request", (request) => request.url().endsWith("/events") && listening.push(request));
    await offer.getByRole("button", { name: "Solve it now" }).click();
    await page.locator(".outcome", { hasText: /^White mates in/ }).waitFor({ timeout: 60000 });
    assert.equal(await offer.count(), 0);
    assert.equal(listening.length, 1);
    // Browsers log the refusal.
    page.errors.length = 0;
    await close(page);
  });

  test("a game that is longer than an address is read, and nothing is not", async () => {
    const page = await open(at(ROOK));
    await quiet(page);
    await page.getByText("PGN", { exact: true }).click();
    const read = page.getByRole("button", { name: "Read" });
    await read.click();
    await page.getByText("Paste a game first.").waitFor();
    assert.equal(state(page).fen, ROOK, "the position stays");
    const words = "a long comment ".repeat(6000);
    await page.getByLabel(/A game to read/).fill(`1. e4 {${words}} e5 2. Nf3 *`);
    await read.click();
    await quiet(page);
    assert.equal(state(page).moves, "e2e4,e7e5,g1f3");
    await close(page);
  });
});
