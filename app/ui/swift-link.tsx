import type { ComponentProps } from "react";
import { Link, NavLink } from "react-router";
import { useOnline } from "./connection.ts";

/**
 * "intent": fetch the next screen as soon as a finger or a pointer is on its link. "none" without a connection, where React
 * Router would load the page anew for want of the screen's script, and what somebody is typing would be gone.
 */
export function usePrefetch(): "intent" | "none" {
  return useOnline() ? "intent" : "none";
}

/** A link to a screen that is likely to be wanted. */
export function SwiftLink(props: ComponentProps<typeof Link>) {
  return <Link prefetch={usePrefetch()} {...props} />;
}

export function SwiftNavLink(props: ComponentProps<typeof NavLink>) {
  return <NavLink prefetch={usePrefetch()} {...props} />;
}
