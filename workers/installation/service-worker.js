/**
 * The service worker: it keeps the offline page and the shell that the page needs. installation.ts writes `release`
 * above this text, so that every release is a new worker with a new cache.
 *
 * It keeps only what is the same for everybody: hashed assets, fonts, the icon and the offline page. It never touches
 * pages, data, pictures or requests other than GET, so it leaves no personal data behind. What the offline page shows
 * of a person is kept by pages (app/platform/offline-copy.ts), where a logout removes it. It also shows notifications.
 */
/* global release */
const CACHE = `${release.name}-${release.version}`;
const OFFLINE = "/offline";
/** Their content never changes, so a kept copy is always right. */
const UNCHANGING = /^\/(assets|fonts)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data.json()));
});

self.addEventListener("notificationclick", (event) => {
  const { notification, action } = event;
  notification.close();
  const { path, answerPath } = notification.data;
  event.waitUntil(open(action === "answer" ? answerPath : path));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(subscribeAgain(event));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (UNCHANGING.test(pathname)) event.respondWith(openAsset(event));
  else if (release.shell.includes(pathname)) event.respondWith(openIcon(request));
});

/**
 * Installs a release whole or not at all, and takes over at once. A failed install leaves the previous release in
 * place.
 */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(OFFLINE, { credentials: "omit", cache: "reload" }), ...release.shell]);
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // Navigation preload asks for the page while the worker starts, so that the worker delays nothing.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/**
 * Answers a page from the network and never keeps it. Without a network it answers with the offline page, at the same
 * address.
 */
async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await kept(OFFLINE)) ?? Response.error();
  }
}

async function openAsset(event) {
  const found = await kept(event.request);
  if (found) return found;
  const response = await fetch(event.request);
  if (response.status === 200 && response.headers.get("Cache-Control")?.includes("immutable"))
    event.waitUntil(keep(event.request, response.clone()));
  return response;
}

async function openIcon(request) {
  try {
    return await fetch(request);
  } catch {
    return (await kept(request)) ?? Response.error();
  }
}

/** What can't be read counts as not kept: a full device may refuse its cache while the network works. */
async function kept(request) {
  try {
    const cache = await caches.open(CACHE);
    return await cache.match(request, { ignoreVary: true });
  } catch {}
}

/** Keeps a copy. A full disk is ignored. */
async function keep(request, response) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(request, response);
  } catch {}
}

/**
 * Shows a notification. While the app is on the screen it says the same by itself. Safari allows no push without a
 * notification, and would end the subscription.
 */
async function show({ title, body, path, answerPath, tag }) {
  const pages = await openPages();
  const isSafari = /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent);
  if (!isSafari && pages.some((page) => page.visibilityState === "visible")) return;
  const answer = answerPath === null ? [] : [{ action: "answer", title: "Answer" }];
  await self.registration.showNotification(title, {
    body,
    tag,
    // The latest of a tag takes the place of the one before, and is told, too.
    renotify: true,
    icon: "/icons/icon-192.png",
    actions: [...answer, { action: "open", title: "Open" }],
    data: { path, answerPath },
  });
}

/** Goes to the tab that has this screen, or opens it. Other tabs stay as they are: somebody may be writing there. */
async function open(path) {
  const { href, hash } = new URL(path, self.location.origin);
  const page = (await openPages()).find(({ url }) => withoutHash(url) === withoutHash(href));
  if (!page) return self.clients.openWindow(href);
  await page.focus();
  // Puts the cursor into the box, and loads nothing.
  if (hash !== "") await page.navigate(href);
}

function withoutHash(href) {
  return href.split("#", 1)[0];
}

function openPages() {
  return self.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/** The push service gave this browser another address. */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  const subscription =
    newSubscription ?? (oldSubscription && (await self.registration.pushManager.subscribe(oldSubscription.options)));
  if (subscription)
    await fetch("/api/push/subscriptions", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(subscription),
    });
}
