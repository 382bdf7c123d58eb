/** What a browser does with its own subscription, in a browser that only it sees. */
import { afterEach, expect, test, vi } from "vitest";
import { readSubscription, renewPush, turnOnPush } from "#app/notifications/push/push-client.ts";

const KEY = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
const OLD_KEY = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

afterEach(() => {
  vi.unstubAllGlobals();
});

/**
 * A browser with a subscription of this key, or none, at a site with `KEY`. `isKnown`: what the server says of its
 * subscription.
 */
function browser(key: string | null, isKnown = true) {
  const done: string[] = [];
  let made = 0;
  const subscriptionOf = (of: string, endpoint: string) => ({
    endpoint,
    options: { applicationServerKey: Uint8Array.from(Buffer.from(of, "base64url")).buffer },
    async unsubscribe() {
      done.push(`ended ${endpoint}`);
      current = null;
    },
  });
  let current = key === null ? null : subscriptionOf(key, "first");
  const pushManager = {
    getSubscription: async () => current,
    // As browsers do: what is there is given again.
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) =>
      (current ??= subscriptionOf(applicationServerKey, `new ${(made += 1)}`)),
  };
  const registration = { pushManager };
  vi.stubGlobal("__SANDBOX__", false);
  vi.stubGlobal("navigator", {
    serviceWorker: {
      register: async () => registration,
      ready: registration,
      getRegistration: async () => registration,
    },
  });
  vi.stubGlobal("Notification", { permission: "granted", requestPermission: async () => "granted" });
  vi.stubGlobal("fetch", async (path: string, init?: { body: string }) => {
    if (path.endsWith("/key")) return Response.json({ publicKey: KEY });
    const { endpoint } = JSON.parse(init?.body ?? "{}") as { endpoint: string };
    done.push(`${path.endsWith("/renewal") ? "renewed" : "saved"} ${endpoint}`);
    return Response.json({ isKnown, publicKey: KEY });
  });
  return done;
}

test("turning on takes no subscription that the push service may have forgotten", async () => {
  const done = browser(KEY);
  expect(await turnOnPush()).toBe("on");
  expect(done).toEqual(["ended first", "saved new 1"]);
});

test("a subscription of an earlier key is made anew when the app is opened", async () => {
  const done = browser(OLD_KEY);
  await renewPush();
  expect(done).toEqual(["renewed first", "ended first", "saved new 1"]);
  expect(await readSubscription()).toEqual({ endpoint: "new 1", key: KEY });
});

test("one of this key goes on as it is", async () => {
  const done = browser(KEY);
  await renewPush();
  expect(done).toEqual(["renewed first"]);
});

test("one that the server doesn't know ends, and nobody is subscribed again unasked", async () => {
  for (const key of [KEY, OLD_KEY]) {
    const done = browser(key, false);
    await renewPush();
    expect(done).toEqual(["renewed first", "ended first"]);
    expect(await readSubscription()).toBeNull();
  }
});

test("a browser without a subscription says nothing", async () => {
  const done = browser(null);
  await renewPush();
  expect([done, await readSubscription()]).toEqual([[], null]);
});
