/**
 * Once React Router has heard which screens a page's links lead to, it gives its state a new identity, and React renders
 * the whole page again though nothing has changed. React then also needs each part whose script comes late
 * (`app/ui/later.tsx`), and shows no other new state before it has them. The build for browsers leaves that out: screens
 * are looked up in the new routes without it.
 */
import type { Plugin } from "vite";
import { changeModule } from "#scripts/change-module.ts";

const ROUTER = /\/react-router\/dist\/production\/lib\/router\/router\.js(\?|$)/;

const CHANGES = [["if (!dataRoutes.hasHMRRoutes) updateState({});", ""]] as const;

/** The build's plugin. It fails where React Router's code has changed. */
export function discoveryWithoutRender(): Plugin {
  return changeModule({
    name: "discovery-without-render",
    module: ROUTER,
    changes: CHANGES,
    mismatchError: "React Router adds routes in another way now",
  });
}
