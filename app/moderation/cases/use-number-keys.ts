import { type RefObject, useEffect } from "react";
import { useNavigation } from "react-router";

/** Ms. A key that is pressed twice by mistake must not decide the next case, which nobody has read yet. */
const PAUSE_MS = 500;

/**
 * Makes the keys 1 to 9 press the form's submit buttons, in their order, while `isOn`. Nothing happens while the form
 * is being sent, just after the page has opened, while somebody types in a field, and with Ctrl, Alt or Meta, which
 * belong to the browser.
 */
export function useNumberKeys(form: RefObject<HTMLFormElement | null>, isOn: boolean): void {
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    if (!isOn || !isIdle) return undefined;
    let listensFrom = performance.now() + PAUSE_MS;
    function press(event: KeyboardEvent): void {
      if (
        performance.now() < listensFrom ||
        event.repeat ||
        event.ctrlKey ||
        event.altKey ||
        event.metaKey ||
        !/^[1-9]$/.test(event.key)
      )
        return;
      if (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")) return;
      const buttons = form.current?.querySelectorAll<HTMLButtonElement>("button[type=submit]");
      const button = buttons?.[Number(event.key) - 1];
      if (!button) return;
      event.preventDefault();
      listensFrom = Infinity;
      button.click();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [form, isOn, isIdle]);
}
