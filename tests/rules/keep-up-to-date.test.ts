import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type BasketChange, targetOf } from "#app/basket/basket-rules.ts";
import { passToServer, pendingChange, setPending } from "#app/basket/components/basket-changes.ts";
import { send } from "#app/basket/components/basket-sender.ts";
import { keepUpToDate } from "#app/screens/live/keep-up-to-date.ts";
import { receiveToasts } from "#app/ui/feedback/toast.ts";
import type { LivePage } from "#app/screens/live/live-page.ts";

let live: LivePage;
vi.mock("#app/screens/live/live-page.ts", () => ({
  startLive(page: LivePage) {
    live = page;
    return () => {};
  },
}));
let copies = 0;
vi.mock("#app/platform/offline-copy.ts", () => ({ refreshOfflineCopy: () => (copies += 1) }));
let failures = 0;
vi.mock("#app/ui/browser/shown-screen.ts", () => ({ hasReloadFailed: () => failures-- > 0 }));

let page: EventTarget;
/** How often the page has asked for its data. */
let asked: number;
let idle: Promise<void>;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  asked = 0;
  idle = Promise.resolve();
  const shown = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", shown);
  vi.stubGlobal("location", new URL("https://chuoni.test/cart"));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  const router = {
    async revalidate() {
      asked += 1;
    },
    navigate() {},
    whenIdle: () => idle,
  };
  copies = 0;
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
])("after %s the page loads its data again", async (_name, happen) => {
  void happen();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toBe(1);
});

test("the offline copy is renewed at the start, also after a login by the form, and on each return", () => {
  expect(copies).toBe(1);
  page.dispatchEvent(new Event("online"));
  expect(copies).toBe(2);
});

test("a reload that fails is tried again", async () => {
  failures = 2;
  live.reloadNow();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBe(3);
});

test("an event waits for the answer to a form: the new data may remove the form", async () => {
  const form = Promise.withResolvers<void>();
  idle = form.promise;
  live.reloadNow();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBe(0);
  form.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(1);
});

describe("a change of the cart that the server has made, while the screen's data doesn't come", () => {
  const remove = { intent: "remove-from-cart", productId: "desk" } as const;
  const target = targetOf(remove);
  let sent: (string | null)[];
  let reloads: number;

  async function press(change: BasketChange) {
    setPending(target, change);
    send(
      {
        async submit(fields) {
          const body = new URLSearchParams(fields as Record<string, string>);
          sent.push(body.get("intent"));
          const request = new Request("https://chuoni.test/", { method: "POST", body });
          await passToServer({ request, serverAction: async () => ({ ok: true, kind: "success", message: "Done" }) });
        },
        async revalidate() {
          reloads += 1;
        },
      },
      change,
    );
    await vi.advanceTimersByTimeAsync(0);
  }

  beforeEach(() => {
    vi.stubGlobal("navigator", { onLine: true });
    [sent, reloads, failures] = [[], 0, Infinity];
    // Other files of this process count what waits.
    return receiveToasts(() => {});
  });

  test("the change stays in view, and the data is asked for less often after three times", async () => {
    await press(remove);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(pendingChange(target)).toBe(remove);
    expect(reloads).toBe(3 + 11);
    failures = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pendingChange(target)).toBeUndefined();
    expect(sent).toEqual(["remove-from-cart"]);
  });

  test("the next press is sent without it", async () => {
    await press(remove);
    await vi.advanceTimersByTimeAsync(6_500);
    const move = { intent: "move-to-wishlist", productId: "desk" } as const;
    await press(move);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pendingChange(target)).toBe(move);
    expect(sent).toEqual(["remove-from-cart", "move-to-wishlist"]);
    failures = 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(pendingChange(target)).toBeUndefined();
  });
});
