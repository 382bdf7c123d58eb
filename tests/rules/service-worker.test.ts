/** What the service worker does with a notification and with a full device, in a browser that only it sees. */
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

const script = readFileSync("workers/installation/service-worker.js", "utf8");
const ORIGIN = "https://chuoni.test";
const CHROME = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile";
const SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

const MESSAGE = {
  title: "Amina answered you",
  body: "Electric kettle",
  path: "/product/1",
  answerPath: "/profile?tab=messages&with=2#message-2",
  tag: "messages:2",
};

interface OpenPage {
  url: string;
  visibilityState: "visible" | "hidden";
}

/** A browser with these pages open, and what its worker did. */
function browser(pages: OpenPage[] = [], userAgent = CHROME, caches: object = {}) {
  const done: unknown[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const self = {
    location: { origin: ORIGIN },
    addEventListener: (type: string, handler: (event: object) => void) => handlers.set(type, handler),
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          ...page,
          focus: async () => void done.push({ focused: page.url }),
          navigate: async (url: string) => void done.push({ gone: url }),
        })),
      openWindow: async (url: string) => void done.push({ opened: url }),
    },
    registration: {
      showNotification: async (title: string, options: object) => void done.push({ title, ...options }),
      pushManager: { subscribe: async () => ({ endpoint: "new" }) },
    },
  };
  const fetch = async (to: string | { url: string }, { body }: { body?: string } = {}) => {
    if (typeof to === "string") return void done.push({ sent: to, body });
    return new Response("from the network");
  };
  runInNewContext(`const release = { name: "chuoni", version: "1", shell: [] };\n${script}`, {
    self,
    URL,
    fetch,
    caches,
    navigator: { userAgent },
  });
  return {
    done,
    async happen(type: string, event: object) {
      let work: Promise<unknown> | undefined;
      handlers.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) });
      await work;
    },
    push(message: object) {
      return this.happen("push", { data: { json: () => message } });
    },
    async open(path: string) {
      let answer: Promise<Response> | undefined;
      const request = { url: ORIGIN + path, method: "GET", mode: "no-cors" };
      await this.happen("fetch", { request, respondWith: (promise: Promise<Response>) => (answer = promise) });
      return (await answer)?.text();
    },
    press(action: string) {
      const notification = { data: { path: MESSAGE.path, answerPath: MESSAGE.answerPath }, close: () => {} };
      return this.happen("notificationclick", { notification, action });
    },
  };
}

test("a push shows its title, what it is about, and Answer and Open", async () => {
  const phone = browser();
  await phone.push(MESSAGE);
  expect(phone.done).toEqual([
    expect.objectContaining({
      title: MESSAGE.title,
      body: MESSAGE.body,
      tag: MESSAGE.tag,
      actions: [
        { action: "answer", title: "Answer" },
        { action: "open", title: "Open" },
      ],
    }),
  ]);
});

test("where nobody can be answered, there is only Open", async () => {
  const phone = browser();
  await phone.push({ ...MESSAGE, answerPath: null });
  expect(phone.done).toEqual([expect.objectContaining({ actions: [{ action: "open", title: "Open" }] })]);
});

test("the app on the screen says it by itself, but Safari wants a notification for each push", async () => {
  const pages: OpenPage[] = [{ url: `${ORIGIN}/home`, visibilityState: "visible" }];
  const phone = browser(pages);
  await phone.push(MESSAGE);
  expect(phone.done).toEqual([]);
  const hidden = browser([{ url: `${ORIGIN}/home`, visibilityState: "hidden" }]);
  await hidden.push(MESSAGE);
  expect(hidden.done).toHaveLength(1);
  const iphone = browser(pages, SAFARI);
  await iphone.push(MESSAGE);
  expect(iphone.done).toHaveLength(1);
});

test.for([
  ["", `${ORIGIN}/product/1`],
  ["open", `${ORIGIN}/product/1`],
  ["answer", `${ORIGIN}/profile?tab=messages&with=2#message-2`],
] as const)("pressing %j opens %s", async ([action, url]) => {
  const phone = browser([{ url: `${ORIGIN}/add-product`, visibilityState: "hidden" }]);
  await phone.press(action);
  expect(phone.done).toEqual([{ opened: url }]);
});

test("a tab that shows the screen is brought to the front", async () => {
  const phone = browser([{ url: `${ORIGIN}/product/1`, visibilityState: "hidden" }]);
  await phone.press("open");
  expect(phone.done).toEqual([{ focused: `${ORIGIN}/product/1` }]);
});

test("Answer goes to the box in a tab that shows the conversation, and Open leaves the cursor where it is", async () => {
  const url = `${ORIGIN}${MESSAGE.answerPath.split("#")[0]}`;
  const phone = browser([{ url, visibilityState: "hidden" }]);
  await phone.press("answer");
  expect(phone.done).toEqual([{ focused: url }, { gone: `${ORIGIN}${MESSAGE.answerPath}` }]);
  const answered = browser([{ url: `${ORIGIN}/product/1#reviews`, visibilityState: "hidden" }]);
  await answered.press("open");
  expect(answered.done).toEqual([{ focused: `${ORIGIN}/product/1#reviews` }]);
});

test("a browser with a new address at its push service tells it", async () => {
  const phone = browser();
  await phone.happen("pushsubscriptionchange", { newSubscription: null, oldSubscription: { options: {} } });
  expect(phone.done).toEqual([{ sent: "/api/push/subscriptions", body: JSON.stringify({ endpoint: "new" }) }]);
});

test("a device that refuses its cache still gets the files of a page from the network", async () => {
  const full = browser([], CHROME, { open: () => Promise.reject(new Error("QuotaExceededError")) });
  expect(await full.open("/assets/shell-1.js")).toBe("from the network");
});
