import type { MouseEvent } from "react";
import type { LightboxOptions } from "./lightbox.ts";

function loadLightbox() {
  return import("./lightbox.ts");
}

/** Loads what opens photos large, for somebody who may be about to press one. */
export function prepareLightbox(): void {
  void loadLightbox().catch(() => undefined);
}

/** Opens photos large by a press on the link to one of them, unless the press asks for a new tab or window. */
export async function enlarge(event: MouseEvent<HTMLAnchorElement>, options: LightboxOptions): Promise<void> {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const link = event.currentTarget;
  try {
    const { openLightbox } = await loadLightbox();
    // Back may have been pressed in the meantime.
    if (link.isConnected) openLightbox(options);
  } catch {
    location.assign(link.href);
  }
}
