import { type RefObject, useEffect } from "react";

/**
 * Makes the keys 1 to 9 press the form's submit buttons, in their order, while `isOn`. Nothing happens while somebody
 * types in a field, and with Ctrl, Alt or Meta, which belong to the browser.
 */
export function useNumberKeys(form: RefObject<HTMLFormElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    function press(event: KeyboardEvent): void {
      if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
      if (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")) return;
      const buttons = form.current?.querySelectorAll<HTMLButtonElement>("button[type=submit]");
      const button = buttons?.[Number(event.key) - 1];
      if (!button) return;
      event.preventDefault();
      button.click();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [form, isOn]);
}
