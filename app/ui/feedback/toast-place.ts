/**
 * Moves the messages to where they can be seen, heard and pressed: an open dialog makes everything outside of it inert.
 * Call it after a dialog has opened or closed.
 */
export function placeToasts(): void {
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector(".document");
  const toasts = document.querySelector(".toasts");
  if (toasts && toasts.parentElement !== place) place?.appendChild(toasts);
}
