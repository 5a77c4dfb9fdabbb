// Every view opens at any address, writes nothing to the console and fits a narrow screen, and
// axe finds no fault in light and dark mode.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { axe, close, house, quiet } from "./browser.mjs";

const ROOK = "8/8/8/3k4/8/8/8/K6R+w+-+-+0+1";

/** Addresses that together show every part of every view. */
const STATES = {
  "start": "",
  "explore": "view=explore",
  "explore, moves taken back": `view=explore&fen=${ROOK}&moves=h1h4,d5e5,a1b2&at=1`,
  "explore, in a line of play": `view=explore&fen=${ROOK}&line=best&ply=3&flip=1`,
  "explore, an illegal set-up": "view=explore&fen=8/8/8/3k4/3K4/8/8/8+w+-+-+0+1&setup=1",
  "explore, mate": "view=explore&fen=4k2R/8/4K3/8/8/8/8/8+b+-+-+0+1",
  "explore, a draw": "view=explore&fen=8/8/8/8/4k3/8/4P3/K7+b+-+-+0+1",
  "explore, a whole game": "view=explore&fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-+0+1",
  "why": `view=why&fen=${ROOK}&player=theory`,
  "why, a step": `view=why&fen=${ROOK}&player=theory&step=1`,
  "why, a step of a measure": "view=why&fen=8/8/8/8/3k4/8/8/KBN5+w+-+-+0+1&player=measure&step=2",
  "why, another move": `view=why&fen=${ROOK}&player=strategy&instead=h1h5,a1b1&show=h1h5-reply`,
  "why, a search": `view=why&fen=${ROOK}&player=search:depth%3D4`,
  "rules of a tree": "view=trees&player=theory&material=KRvK",
  "rules found": "view=trees&player=theory&material=KRvK&q=edge",
  "rules of a strategy": "view=trees&player=strategy&material=KQvK&rule=1",
  "picture of a tree": "view=trees&player=theory&material=KRvK&tab=picture&open=0,1,2&chosen=2",
  "picture of an exact tree, found": "view=trees&player=exact&material=KRvK&tab=picture&find=corner&chosen=4982&show=right",
  "outline of a tree": "view=trees&player=theory&material=KRvK&tab=outline&open=0,1,2",
  "two trees": "view=trees&player=theory&material=KRvK&with=exact&chosen=1&chosen2=1",
  "lessons": "view=lesson",
  "stages": "view=lesson&material=KRvK&stage=2",
  "lesson": "view=lesson&material=KRvK&player=strategy&tab=lesson",
  "lesson of rules": "view=lesson&material=KRPvKR",
  "exercises of stages": "view=lesson&material=KPvK&tab=exercises&n=2",
  "exercises": "view=lesson&material=KRvK&player=strategy&tab=exercises&of=lesson&n=2",
  "practice of a stage": "view=lesson&material=KRvK&tab=practice&stage=1",
  "practice": "view=lesson&material=KRvK&player=strategy&tab=practice",
  "practice of the weak side": "view=lesson&material=KRvK&player=theory&tab=practice&side=weak&hints=3",
  "verdicts": "view=verdicts",
  "verdicts on rules of thumb": "view=verdicts&material=KRvKP&tab=thumb&sort=wrong",
  "verdicts, no rules": "view=verdicts&material=KRvK",
  "arena": "view=arena",
  "arena, in a game": `view=arena&fen=${ROOK}&moves=h1h4,d5e5,a1b2&at=2&white=search:depth%3D4&black=random`,
  "why, a trained player": `view=why&fen=${ROOK}&player=published&instead=h1h5`,
  "training": "view=training",
  "training of the improved network": "view=training&f.network=improved&f.opponent=human",
  "experiments": "view=experiments",
  "a form": "view=experiments&verb=distil&f.seconds=5",
  "rows": "view=data",
  "attributes": `view=data&tab=attributes&fen=${ROOK}&attribute=KkSteps`,
  "distances": "view=data&tab=histogram&material=KRvK&bar=three",
  "confusion": "view=data&tab=confusion&material=KRvK&player=theory",
  "a cell of a confusion matrix": "view=data&tab=confusion&material=KRvK&player=exact&cell=13,13&boards=12",
  "sufficiency": "view=data&tab=sufficiency&material=KRvK",
  "an error": "view=explore&fen=nonsense",
};

const { open } = house();

const wide = async (page) => {
  const [content, window] = await page.evaluate(() =>
    [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(content <= window, `${content} wide on a screen of ${window}`);
};

describe("every view", () => {
  for (const [name, query] of Object.entries(STATES)) {
    test(name, async () => {
      const page = await open(query, { viewport: { width: 1280, height: 900 } });
      await quiet(page);
      // Browsers log every response with an error status.
      if (name === "an error") page.errors.length = 0;
      else assert.deepEqual(await page.locator("#main [role=alert]:visible").allTextContents(), []);
      await wide(page);
      // Everything else is the same in light and dark mode.
      await axe(page, "body", ["color-contrast", "scrollable-region-focusable", "target-size"]);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.emulateMedia({ colorScheme: "dark" });
      await wide(page);
      await axe(page);
      await close(page);
    });
  }
});

describe("the first view", () => {
  const MOST_BYTES = 150_000;

  test("is small, and soon there", async (context) => {
    const page = await open("", { viewport: { width: 1280, height: 900 } });
    await quiet(page);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    let bytes = 0;
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.reload();
    await quiet(page);
    const [painted, known] = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0].startTime,
      Math.max(...performance.getEntriesByType("resource").map((one) => one.responseEnd)),
    ]);
    const times = [painted, known].map((time) => `${time.toFixed(0)} ms`);
    const words = `${bytes} bytes, painted after ${times[0]}, all known after ${times[1]}`;
    context.diagnostic(words);
    assert.ok(bytes <= MOST_BYTES, words);
    await close(page);
  });

  test("needs nothing from elsewhere", async () => {
    const page = await open("");
    const hosts = new Set();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    for (const group of ["Learn", "Look up", "Play", "Laboratory"]) {
      await page.locator("#groups").getByRole("link", { name: group, exact: true }).click();
      for (const link of await page.locator("#views a").all()) {
        await link.click();
        await page.locator("#views a[aria-current=page]").waitFor();
        await page.getByRole("heading", { level: 1 }).waitFor();
      }
    }
    await quiet(page);
    assert.deepEqual([...hosts], [new URL(page.url()).host]);
    page.errors.length = 0;
    await close(page);
  });
});
