/** The media query of people who have asked their device for less motion. */
export const LESS_MOTION = "(prefers-reduced-motion: reduce)";

/** How the page scrolls by itself: style sheets say nothing to a script that asks for a smooth way. */
export function smoothly(): ScrollBehavior {
  return matchMedia(LESS_MOTION).matches ? "instant" : "smooth";
}
