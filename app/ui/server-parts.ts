/** Loads each part of a screen whose script comes late in the browser (`later.tsx`). Empty in the browser. */
export const serverParts: (() => Promise<void>)[] = [];

/**
 * Loads these parts on the server, before it renders a screen. A render that waited for a part could wait for another
 * request's import, and in workerd such a request never ends.
 */
export async function loadServerParts(): Promise<void> {
  // The module of a part may add others to the list.
  for (let known = 0; known < serverParts.length;) {
    known = serverParts.length;
    await Promise.all(serverParts.map((load) => load()));
  }
}
