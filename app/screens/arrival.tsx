import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { useKeptFields } from "#app/ui/forms/kept-fields.ts";
import { screenOf } from "#app/screens/pending/screen-of.ts";

/** The number of unread messages, which stands before the title. */
const COUNT = /^\(\d+\+?\) /;

/**
 * Tells that another screen has come to those who don't see it, as browsers do where a document loads: its title is
 * announced, and the focus stands at the beginning of its content. And what was typed there is there again. Part of
 * next-screen.tsx.
 */
export function Arrival() {
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  const screen = screenOf({ pathname, search });
  const [title, setTitle] = useState("");
  const shown = useRef({ screen, pathname });
  const pressed = useRef<Element | null>(null);
  useKeptFields();
  useEffect(() => {
    if (state !== "idle") pressed.current = document.activeElement;
  }, [state]);
  useEffect(() => {
    const last = shown.current;
    if (last.screen === screen) return;
    shown.current = { screen, pathname };
    setTitle(document.title.replace(COUNT, ""));
    if (mayTakeFocus(last.pathname !== pathname, pressed.current))
      document.getElementById("content")?.focus({ preventScroll: true });
  }, [screen, pathname]);
  return <LiveRegion text={title} />;
}

/** A tab of the same screen keeps the focus. So does who types, and what the new screen has chosen itself. */
function mayTakeFocus(isOtherPath: boolean, pressed: Element | null): boolean {
  const now = document.activeElement;
  if (now === null || now === document.body) return true;
  if (now.matches("input, textarea, select")) return false;
  return isOtherPath && (now === pressed || now.closest("main") === null);
}
