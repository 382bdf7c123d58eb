import { afterEach, expect, test, vi } from "vitest";
import { passToServer } from "#app/basket/components/basket-changes.ts";
import { resume, type Router, send } from "#app/basket/components/basket-sender.ts";
import { forgetMemory, forgetPrivate } from "#app/platform/private-storage.ts";
import { receiveToasts } from "#app/ui/feedback/toast.ts";
import { openBrowser } from "#tests/support/fake-browser.ts";

const KEPT = "private:one:unsent-basket";

afterEach(() => vi.unstubAllGlobals());

/** A server that answers each change once it may. */
function slowServer() {
  const sent: unknown[] = [];
  const answers: ((how: "no" | "login") => void)[] = [];
  const router: Router = {
    async submit(fields) {
      const body = new URLSearchParams(fields as Record<string, string>);
      sent.push(body.get("key"));
      const how = await new Promise((done: (how: "no" | "login") => void) => answers.push(done));
      const request = new Request("https://chuoni.test/", { method: "POST", body });
      const serverAction = async () => {
        if (how === "login") throw new Response(null, { status: 302 });
        return { ok: false, kind: "error", message: "No" } as const;
      };
      // The router follows the redirect.
      await passToServer({ request, serverAction }).catch(() => {});
    },
    async revalidate() {},
  };
  return { router, sent, answers };
}

function openTab() {
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("location", new URL("https://chuoni.test/cart"));
  // Other files of this process count what waits.
  receiveToasts(() => {});
  return openBrowser("one").tab;
}

test("a change under way is kept for its person, and nothing of it is left after a logout", async () => {
  const tab = openTab();
  const { router, answers } = slowServer();
  resume(router, "one");
  send(router, { intent: "remove-from-cart", productId: "desk" });
  expect(tab.get(KEPT)).toContain("desk");
  forgetPrivate();
  answers[0]?.("no");
  await new Promise((done) => setTimeout(done));
  expect([...tab.keys()]).toEqual([]);
});

test("after a session that ended by time, the same person's next screen sends it again with its key", async () => {
  const tab = openTab();
  const { router, sent, answers } = slowServer();
  resume(router, "one");
  send(router, { intent: "remove-from-cart", productId: "lamp" });
  forgetMemory();
  answers[0]?.("login");
  await new Promise((done) => setTimeout(done));
  resume(router, "one");
  expect(sent).toHaveLength(2);
  expect(sent[1]).toBe(sent[0]);
  answers[1]?.("no");
  await new Promise((done) => setTimeout(done));
  expect([...tab.keys()]).toEqual([]);
});
