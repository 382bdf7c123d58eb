import { createContext, type RouterContextProvider } from "react-router";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import type { Services } from "./services.ts";

/** Set once, in the worker's entry. */
export const servicesContext = createContext<Services>();

/** One request, as logs and pages name it. */
export interface RequestInfo {
  id: string;
  /** The nonce that this answer's scripts carry. */
  nonce: string;
  /** The address it came from; null where unknown. */
  address: string | null;
}

export const requestContext = createContext<RequestInfo>();

/** Who asks; null for a visitor. Set by the root's middleware. */
export const viewerContext = createContext<Viewer | null>(null);

/** The viewer of a screen that only signed-in users reach; the guard has made sure of it. */
export function requireViewer(context: Readonly<RouterContextProvider>): Viewer {
  const viewer = context.get(viewerContext);
  if (!viewer) throw new Error("a screen for signed-in users was reached without a viewer");
  return viewer;
}
