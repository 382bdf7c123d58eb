import { createContext, type RouterContextProvider } from "react-router";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import type { Services } from "./services.ts";

/** The services of the request. Set once, in the worker's entry. */
export const servicesContext = createContext<Services>();

/** What identifies one request in logs and pages. */
export interface RequestInfo {
  id: string;
  /** The nonce of the scripts in this response. */
  nonce: string;
  /** The client's network address; null when it is unknown. */
  address: string | null;
  /** Whether the address is a public page's: it is rendered without scripts, and the same for every visitor. */
  publicPage: boolean;
  /** Whether the browser is too old for our scripts. */
  plain: boolean;
}

export const requestContext = createContext<RequestInfo>();

/** The user who is logged in; null for a visitor. Set by the root's middleware. */
export const viewerContext = createContext<Viewer | null>(null);

/** The viewer of a member screen. The layout's guard has made sure that there is one. */
export function requireViewer(context: Readonly<RouterContextProvider>): Viewer {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new Error("a screen for signed-in users was reached without a viewer");
  return viewer;
}
