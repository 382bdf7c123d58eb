import { type RefObject, useEffect } from "react";
import { useNavigation } from "react-router";

/** Ms. A key that is pressed twice by mistake must not decide the next case, which nobody has read yet. */
const PAUSE_MS = 500;

/**
 * Makes the keys 1 to 9 press the form's submit buttons, in their order, while `isOn`. Nothing happens while the form
 * is being sent, and just after the page has opened.
 */
export function useNumberKeys(form: RefObject<HTMLFormElement | null>, isOn: boolean): void {
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isOn || !isIdle) return undefined;
    let listensFrom = performance.now() + PAUSE_MS;
    return listenToKeys((key) => {
      if (performance.now() < listensFrom || !/^[1-9]$/.test(key)) return false;
      const buttons = form.current?.querySelectorAll<HTMLButtonElement>("button[type=submit]");
      const button = buttons?.[Number(key) - 1];
      if (!button) return false;
      listensFrom = Infinity;
      button.click();
      return true;
    });
  }, [form, isOn, isIdle]);
}

/** Makes J and K open what stands after and before the opened link of a list, while `isOn`. */
export function useListKeys(list: RefObject<HTMLElement | null>, isOn: boolean): void {
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isOn || !isIdle) return undefined;
    return listenToKeys((key) => {
      if (key !== "j" && key !== "k") return false;
      const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>("li a") ?? [])];
      const open = links.findIndex((link) => link.ariaCurrent !== null);
      const link = links[open === -1 ? 0 : open + (key === "j" ? 1 : -1)];
      link?.scrollIntoView({ block: "nearest" });
      link?.click();
      return link !== undefined;
    });
  }, [list, isOn, isIdle]);
}

/**
 * Calls `press` with each key, and says whether the page used it. Keys stay the browser's while somebody types in a
 * field, when they are held, and with Ctrl, Alt or Meta. Returns what ends it.
 */
function listenToKeys(press: (key: string) => boolean): () => void {
  function listen(event: KeyboardEvent): void {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (press(event.key)) event.preventDefault();
  }
  window.addEventListener("keydown", listen);
  return () => window.removeEventListener("keydown", listen);
}
