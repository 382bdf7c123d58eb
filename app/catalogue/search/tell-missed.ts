/** What this page has told already, so that looking at the same results again counts once. */
const told = new Set<string>();

/** Tells the server, once, that a search found nothing. It is lost without harm. */
export function tellMissed(text: string): void {
  if (told.has(text)) return;
  told.add(text);
  const form = new FormData();
  form.set("q", text);
  navigator.sendBeacon("/search/missed", form);
}
