import { useState } from "react";

/** What the server tells once stays while the page is open, also when its data comes anew. */
export function useHeld<News>(news: News | null): News | null {
  const [held, setHeld] = useState(news);
  if (news !== null && news !== held) setHeld(news);
  return held;
}

/**
 * Of these things, those that weren't so when the page opened, and are so now. What tells of it once may be lost on the
 * way, when the page's data is loaded anew in the same moment.
 */
export function useBecame<Thing extends { id: string }>(
  things: readonly Thing[],
  isSo: (thing: Thing) => boolean,
): Thing[] {
  const [before] = useState(() => things.filter((thing) => !isSo(thing)).map(({ id }) => id));
  return things.filter((thing) => before.includes(thing.id) && isSo(thing));
}
