import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepUpToDate } from "#app/messaging/keep-up-to-date.ts";
import type { LivePage } from "#app/messaging/live-page.ts";

let live: LivePage;
vi.mock("#app/messaging/live-page.ts", () => ({
  startLive(page: LivePage) {
    live = page;
    return () => {};
  },
}));
let failures = 0;
vi.mock("#app/ui/browser/shown-screen.ts", () => ({ hasReloadFailed: () => failures-- > 0 }));

let page: EventTarget;
/** The cookies with which each reload asked. Every answer takes so long that the cookie has ended by the next one. */
let asked: string[];
let idle: Promise<void>;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  asked = [];
  idle = Promise.resolve();
  const shown = Object.assign(new EventTarget(), { cookie: "", visibilityState: "visible" });
  vi.stubGlobal("document", shown);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  const router = {
    async revalidate() {
      asked.push(shown.cookie.split(";")[0] ?? "");
      shown.cookie = "";
    },
    navigate() {},
    whenIdle: () => idle,
  };
  stop = keepUpToDate({ viewerId: "one", router: { current: router }, pageId: "page" });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each<[string, () => unknown]>([
  ["an event", () => live.reload()],
  ["a return to the page", () => page.dispatchEvent(new Event("online"))],
  ["the end of the session", () => live.onSessionEnded()],
])("after %s the page asks for the newest data", async (_name, happen) => {
  void happen();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toEqual(["newest=1"]);
});

test("a reload that is tried again asks for the newest data each time", async () => {
  failures = 2;
  live.reloadNow();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual(["newest=1", "newest=1", "newest=1"]);
});

test("an event waits for the answer to a form: the new data may remove the form", async () => {
  const form = Promise.withResolvers<void>();
  idle = form.promise;
  live.reloadNow();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([]);
  form.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual(["newest=1"]);
});
