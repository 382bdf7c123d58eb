import { type RefObject, useEffect, useRef } from "react";

/**
 * For a row or list of links that may be larger than the screen: scrolls the current one to its middle. The page
 * doesn't move.
 */
export function useCurrentInView(current: string | undefined): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const shown = row.current;
    const link = shown?.querySelector("[aria-current=page]");
    if (current === undefined || !shown || !link) return;
    const [outer, inner] = [shown.getBoundingClientRect(), link.getBoundingClientRect()];
    shown.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    shown.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2);
  }, [current]);
  return row;
}
