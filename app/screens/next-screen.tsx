import { type ComponentType, useEffect, useState } from "react";
import { type Location, useLocation, useNavigation } from "react-router";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { inOwnTask } from "#app/ui/browser/own-task.ts";
import { screenOf } from "./screen-of.ts";

// A function of its own: Vite takes a `then` that follows an import into its loader, which then fails past our handler.
const loadPendingScreen = () => import("./pending-screen.tsx");

/**
 * Covers the screen with the title and shape of the next one until its data arrives. Its script is loaded after the
 * page works, before it is needed; with Data saver when it is needed.
 */
export function NextScreen() {
  const { state, location: next } = useNavigation();
  const here = useLocation();
  const [Pending, setPending] = useState<ComponentType<{ next: Location }>>();
  const wanted = !useDataSaver() || state === "loading";
  useEffect(() => {
    if (!wanted) return;
    return inOwnTask(() => {
      loadPendingScreen().then(
        (module) => setPending(() => module.PendingScreen),
        // Without it, the line at the top shows that the next screen is loading.
        () => undefined,
      );
    });
  }, [wanted]);
  if (!Pending || state !== "loading" || screenOf(next) === screenOf(here)) return null;
  return <Pending next={next} />;
}
