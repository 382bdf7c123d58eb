import { useState } from "react";

/** What the server tells once stays while the page is open, also when its data comes anew. */
export function useHeld<News>(news: News | null): News | null {
  const [held, setHeld] = useState(news);
  if (news !== null && news !== held) setHeld(news);
  return held;
}
