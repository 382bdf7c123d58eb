/** The pages' few scripts. They are plain text, because they are served unchanged. */

/** Loads the page's live parts every 1.5 s and swaps those that changed. */
export const LIVE_SCRIPT = `"use strict";
(() => {
  const url = document.body.dataset.liveUrl;
  const announcer = document.querySelector("[data-announcer]");
  const last = new Map();
  for (const part of document.querySelectorAll("[data-swap]")) last.set(part.dataset.swap, part.outerHTML);

  function announce(part) {
    const text = part.dataset.announce;
    if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
  }

  function swap(part) {
    const name = part.dataset.swap;
    if (last.get(name) === part.outerHTML) return;
    last.set(name, part.outerHTML);
    const old = document.querySelector('[data-swap="' + name + '"]');
    const scrolled = old.scrollTop;
    old.replaceWith(part);
    part.scrollTop = scrolled;
    announce(part);
    document.dispatchEvent(new CustomEvent("live:swapped", { detail: name }));
  }

  async function refresh() {
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    if (!response.ok) return;
    const template = document.createElement("template");
    template.innerHTML = await response.text();
    for (const part of [...template.content.querySelectorAll("[data-swap]")]) swap(part);
  }

  async function keepFresh() {
    if (document.visibilityState === "visible") await refresh().catch(() => undefined);
    setTimeout(keepFresh, 1500);
  }

  document.addEventListener("live:refresh", () => refresh().catch(() => undefined));
  document.addEventListener("visibilitychange", () => document.dispatchEvent(new Event("live:refresh")));
  setTimeout(keepFresh, 1500);
})();
`;

/** The handset: PIN, answers, time left, clock. */
export const HANDSET_SCRIPT = `"use strict";
(() => {
  const notice = document.querySelector("[data-notice]");
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Nairobi", hour: "2-digit", minute: "2-digit" });
  let typedFor = "";
  let typed = 0;
  let sending = false;

  const sheet = () => document.querySelector("[data-prompt]");

  function show() {
    const open = sheet();
    if (!open) return;
    if (open.dataset.prompt !== typedFor) {
      typedFor = open.dataset.prompt;
      typed = 0;
    }
    open.querySelectorAll("[data-pin] i").forEach((dot, index) => dot.classList.toggle("filled", index < typed));
    tick();
  }

  function tick() {
    const now = Date.now();
    for (const place of document.querySelectorAll("[data-clock]")) place.textContent = clock.format(now);
    const open = sheet();
    if (!open) return;
    const left = Math.max(0, Number(open.dataset.expires) - now);
    open.querySelector("[data-left]").textContent = Math.ceil(left / 1000) + " s";
    open.querySelector("[data-time]").value = left / Number(open.dataset.rings);
  }

  function tell(text) {
    notice.textContent = text;
    notice.hidden = text === "";
  }

  async function answer(outcome) {
    const open = sheet();
    if (!open || sending) return;
    sending = true;
    open.classList.add("sending");
    try {
      const response = await fetch("/sandbox/prompts/" + encodeURIComponent(open.dataset.prompt), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ outcome }),
      });
      tell(response.ok ? "" : (await response.json()).error);
    } catch {
      tell("The answer did not get through. Try again.");
    }
    sending = false;
    sheet()?.classList.remove("sending");
    document.dispatchEvent(new Event("live:refresh"));
  }

  function press(key) {
    typed = key === "back" ? Math.max(0, typed - 1) : Math.min(4, typed + 1);
    show();
    if (typed === 4) setTimeout(() => answer("pay"), 250);
  }

  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target : null;
    const button = pressed?.closest("button[data-key], button[data-outcome]");
    if (!button) return;
    if (button.dataset.key) press(button.dataset.key);
    else answer(button.dataset.outcome);
  });

  document.addEventListener("keydown", (event) => {
    if (!sheet() || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[0-9]$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("back");
    else if (event.key === "Escape") answer("cancel");
  });

  document.addEventListener("live:swapped", show);
  setInterval(tick, 1000);
  show();
  tick();
})();
`;

/** The mailbox: makes the frame as high as the email in it. */
export const MAILBOX_SCRIPT = `"use strict";
(() => {
  const frame = document.querySelector("iframe[data-mail]");
  if (!frame) return;
  function fit() {
    const page = frame.contentDocument?.documentElement;
    if (!page) return;
    frame.height = "160";
    frame.height = String(Math.min(2400, page.scrollHeight));
  }
  frame.addEventListener("load", fit);
  window.addEventListener("resize", fit);
  fit();
})();
`;

/**
 * For the app's pages: takes the place of the browser's own connection to its push service, which a machine without
 * internet doesn't have. Everything else of a subscription stays the app's and the browser's.
 */
export const PUSH_MANAGER_SCRIPT = `"use strict";
(() => {
  const NAME = "sandbox-push";

  function kept() {
    return JSON.parse(localStorage.getItem(NAME));
  }

  function bytesOf(key) {
    return Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  }

  function subscriptionOf({ id, endpoint, p256dh, auth, serverKey }) {
    return {
      endpoint,
      options: { userVisibleOnly: true, applicationServerKey: bytesOf(serverKey).buffer },
      toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
      async unsubscribe() {
        await fetch("/sandbox/browsers/" + id, { method: "DELETE" });
        localStorage.removeItem(NAME);
        return true;
      },
    };
  }

  PushManager.prototype.getSubscription = async () => {
    const subscription = kept();
    return subscription && subscriptionOf(subscription);
  };

  PushManager.prototype.subscribe = async ({ applicationServerKey: serverKey }) => {
    if (Notification.permission !== "granted") throw new DOMException("Registration failed", "NotAllowedError");
    if (!kept()) {
      const response = await fetch("/sandbox/browsers", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ applicationServerKey: serverKey }),
      });
      localStorage.setItem(NAME, JSON.stringify({ ...(await response.json()), serverKey }));
    }
    return subscriptionOf(kept());
  };
})();
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#e7c65f"/><rect x="11" y="6" width="10" height="20" rx="2.5" fill="#1d1b16"/><circle cx="16" cy="22.5" r="1.4" fill="#e7c65f"/></svg>`;
