import { useEffect, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { useOpeningScreen } from "#app/ui/browser/opening-screen.ts";
import { inOwnTask } from "#app/ui/browser/own-task.ts";
import { keepsList, screenOf } from "./screen-of.ts";

// A function of its own: Vite takes a `then` that follows an import into its loader, which then fails past our handler.
const loadParts = () => import("./pending-screen.tsx");

/**
 * Covers the screen with the title and shape of the next one until its data arrives, and announces it then. Its script
 * is loaded after the page works, before it is needed; with Data saver when it is needed.
 */
export function NextScreen() {
  const { state, location: next } = useNavigation();
  const here = useLocation();
  const [parts, setParts] = useState<Awaited<ReturnType<typeof loadParts>>>();
  useOpeningScreen(state === "loading");
  const wanted = !useDataSaver() || state === "loading";
  useEffect(() => {
    if (!wanted) return;
    return inOwnTask(() => {
      loadParts().then(
        setParts,
        // Without it, the line at the top shows that the next screen is loading.
        () => undefined,
      );
    });
  }, [wanted]);
  if (!parts) return null;
  const isPending =
    state === "loading" && screenOf(next) !== screenOf(here) && !keepsList(here.pathname, next.pathname);
  return (
    <>
      <parts.Arrival />
      {isPending && <parts.PendingScreen next={next} />}
    </>
  );
}
