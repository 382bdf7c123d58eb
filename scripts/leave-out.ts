import type { Plugin } from "vite";

/**
 * React Router's hooks for tracing tools, which it asks for only where a router is given some; ours is not. They would be one
 * per cent of the script that every page needs.
 */
const TRACING = {
  module: /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
  /** Each export, and what stands in for it where there is nothing to trace. */
  exports: {
    consumeInstrumentationClientResultMetaReceiver: "() => undefined",
    getRouteInstrumentationUpdates: "() => ({})",
    instrumentClientSideRouter: "(router) => router",
    // The server's, which the browser's build drops.
    instrumentHandler: "undefined",
    instrumentationResultMetaContext: "undefined",
  },
};

/**
 * The build's plugin: browsers get no tracing. The build fails where the module is no longer there, or another of its exports is
 * wanted: then React Router has changed, and this is to be thought over.
 */
export function leaveOutTracing(): Plugin {
  let found = false;
  return {
    name: "leave-out-tracing",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    load: {
      filter: { id: TRACING.module },
      handler() {
        found = true;
        return Object.entries(TRACING.exports)
          .map(([name, code]) => `export const ${name} = ${code};`)
          .join("\n");
      },
    },
    buildEnd(error) {
      if (!error && !found)
        this.error("React Router's module for tracing has another place now: scripts/leave-out.ts.");
    },
  };
}
