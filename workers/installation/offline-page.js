/*
 * The offline page's script, inside a function of `config`. It shows what this browser keeps of the person who is
 * logged in, and reloads the page when the connection is back.
 */
/* global config */

/** How often to check whether the server answers again, ms. A network without internet fires no event. */
const LOOK_AGAIN_MS = 5_000;
/** How long the page may need that a reload asks for, ms. Another reload would begin it anew. */
const RELOAD_MS = 60_000;
/** Screens that show listings: the marketplace comes first. */
const OF_LISTINGS = /^\/(studentmarketplace|search|category|product)(\/|$)/;

for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
addEventListener("online", byItself);
setInterval(() => {
  if (!document.hidden) fetch("/favicon.svg", { method: "HEAD", cache: "no-store" }).then(byItself, () => {});
}, LOOK_AGAIN_MS);
try {
  const copy = readCopy();
  if (copy) show(copy);
} catch {
  // This browser has no storage, or an older release wrote what this one can't read: the page says that there is
  // nothing.
}

/** Until then a reload is under way. */
let reloadsUntil = 0;

function byItself() {
  if (Date.now() < reloadsUntil) return;
  reloadsUntil = Date.now() + RELOAD_MS;
  again();
}

/** Opened at its own address, the offline page leads to the start. */
function again() {
  if (location.pathname === config.path) location.replace("/");
  else location.reload();
}

/** The copy of the one person whose things this browser keeps. One that is too old is removed. */
function readCopy() {
  const keys = Object.keys(localStorage).filter(
    (key) => key.startsWith(config.prefix) && key.endsWith(`:${config.name}`),
  );
  const copy = keys.length === 1 ? JSON.parse(localStorage.getItem(keys[0])) : null;
  if (copy !== null && Date.now() < copy.until) return copy;
  for (const key of keys) localStorage.removeItem(key);
  return null;
}

function show(copy) {
  const page = document.getElementById("saved");
  for (const list of page.querySelectorAll("[data-list]")) fill(list, copy[list.dataset.list] ?? []);
  if (OF_LISTINGS.test(location.pathname))
    for (const name of ["orders", "sales"]) page.append(page.querySelector(`[aria-labelledby=${name}]`) ?? "");
  const isToday = new Date(copy.savedAt).toDateString() === new Date().toDateString();
  page.querySelector("[data-saved]").textContent =
    `Saved ${isToday ? copy.saved.time : copy.saved.date}. You're offline. This page loads by itself when you're back online.`;
  document.getElementById("content").remove();
  page.id = "content";
  page.hidden = false;
}

/** A row for each entry. Where an entry has no text, its line is left out; a list without entries, with its heading. */
function fill(list, entries) {
  const template = list.querySelector("template");
  for (const entry of entries) {
    const row = template.content.cloneNode(true);
    for (const place of row.querySelectorAll("[data-text]")) {
      const text = entry[place.dataset.text];
      if ((text ?? null) === null) place.parentElement.remove();
      else place.textContent = text;
    }
    list.append(row);
  }
  if (entries.length === 0) list.parentElement.remove();
}
