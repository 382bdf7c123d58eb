/**
 * React Router can call us back around each navigation and load, to measure them. We don't use that, but every first
 * visit would download its 1.2 kB (compressed): the build for browsers puts functions in its place that do nothing.
 */
import type { Plugin } from "vite";

const INSTRUMENTATION = /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js(\?|$)/;

/** The module's exports for a router without instrumentations. */
export const UNINSTRUMENTED = `
export const instrumentationResultMetaContext = undefined;
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const instrumentHandler = (handler) => handler;
`;

/** The build's plugin. It fails where React Router keeps that module somewhere else. */
export function dropInstrumentation(): Plugin {
  let found = false;
  return {
    name: "drop-instrumentation",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load(id) {
      if (!INSTRUMENTATION.test(id)) return null;
      found = true;
      return { code: UNINSTRUMENTED, moduleSideEffects: false };
    },
    buildEnd(error) {
      if (!error && !found)
        throw new Error("React Router's instrumentation has another place now: scripts/drop-instrumentation.ts.");
    },
  };
}
