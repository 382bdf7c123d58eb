import { useScripted } from "#app/ui/browser/use-scripted.ts";

/**
 * Where scripts send the forms of a screen that other screens show, too: a route without a screen. The router needs the
 * module of the route that takes a form, and reloads the page where it can't fetch it. The service worker keeps the
 * modules of the routes without a screen (workers/installation/release.ts), so a lost connection is an answer in place.
 * Without scripts the screen itself takes the form, and shows what was wrong with it.
 */
export function useSendPath(screen: string): string {
  return useScripted() ? `${screen}/send` : screen;
}
