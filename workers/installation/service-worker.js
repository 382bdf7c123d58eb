/**
 * The worker that a browser keeps of us: a page for when the network is gone, and the shell it is drawn with. `release` is written
 * above this text by what serves it (installation.ts), so that every release is a worker of its own with a cache of its own.
 *
 * Kept is what is the same for everybody: hashed assets, fonts, the icon, the offline page. Pages, data, pictures and answers to
 * anything but GET are never looked at, so there is nothing of anybody's to leave behind.
 */
/* global release */
const CACHE = `${release.name}-${release.version}`;
const OFFLINE = "/offline";
/** Never change their content: what is kept of them is right. */
const UNCHANGING = /^\/(assets|fonts)\//;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else if (UNCHANGING.test(pathname)) event.respondWith(openAsset(event));
  else if (release.shell.includes(pathname)) event.respondWith(openIcon(request));
});

/** All or nothing: a release whose shell cannot be fetched leaves the one before in its place. Takes over without waiting. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([new Request(OFFLINE, { credentials: "omit", cache: "reload" }), ...release.shell]);
  await self.skipWaiting();
}

async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  // The page is asked for while the worker starts, so that it comes no later than without one.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Always from the network, and never kept; without it the offline page, at the page's own address. */
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

async function kept(request) {
  const cache = await caches.open(CACHE);
  return cache.match(request, { ignoreVary: true });
}

/** A full disk keeps nothing, and breaks nothing. */
async function keep(request, response) {
  try {
    const cache = await caches.open(CACHE);
    await cache.put(request, response);
  } catch {}
}
