import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation, useNavigation } from "react-router";
import { hasGivenFocus, keepFocus } from "#app/ui/browser/keep-focus.ts";
import { announce, announcement } from "#app/ui/feedback/announce.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { useKeptFields } from "#app/ui/forms/kept-fields.ts";
import { screenOf } from "#app/screens/pending/screen-of.ts";

/** The number of unread messages, which stands before the title. */
const COUNT = /^\(\d+\+?\) /;

/**
 * Tells that another screen has come to those who don't see it, as browsers do where a document loads: its title is
 * announced, and the focus stands at the beginning of its content. And what was typed there is there again. Also says
 * what changes on a screen that stays. Part of next-screen.tsx.
 */
export function Arrival() {
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  // On a wide screen a section stands beside its list.
  const screen = `${screenOf({ pathname, search })} ${new URLSearchParams(search).get("section")}`;
  const [title, setTitle] = useState("");
  const { text, turn } = useSyncExternalStore(announcement.subscribe, announcement.get);
  const shown = useRef({ screen, pathname });
  const heading = useRef<{ screen: string; words: string }>(undefined);
  const pressed = useRef<Element | null>(null);
  useKeptFields();
  useEffect(keepFocus, []);
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
  useEffect(() => {
    if (state !== "idle") return;
    // A form's answer may be another screen at the same address.
    const words = document.querySelector("main h1")?.textContent ?? "";
    const last = heading.current;
    if (last?.screen === screen && last.words !== words) announce(words);
    heading.current = { screen, words };
  }, [state, screen]);
  return (
    <>
      <LiveRegion text={title} />
      {/* The same words are announced again where they differ by a space. */}
      <LiveRegion text={turn % 2 === 0 ? text : `${text}\u00a0`} />
    </>
  );
}

/**
 * A tab of the same screen keeps the focus, unless its link isn't shown any more. So does who types, and what the new
 * screen has chosen itself.
 */
function mayTakeFocus(isOtherPath: boolean, pressed: Element | null): boolean {
  const now = document.activeElement;
  if (now === null || now === document.body || now.getClientRects().length === 0) return true;
  if (now.matches("input, textarea, select")) return false;
  return isOtherPath && (now === pressed || hasGivenFocus(now) || now.closest("main") === null);
}
