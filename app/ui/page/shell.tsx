import { useSyncExternalStore, type ReactNode } from "react";
import { useNavigation } from "react-router";
import { BottomBar } from "./bottom-bar.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { Counts } from "./navigation.ts";
import { TopBar, type ShellViewer } from "./top-bar.tsx";

interface ShellProps {
  /** Null for a visitor, who sees "Sign In". */
  viewer: ShellViewer | null;
  counts: Counts;
  /** The search box. */
  search: ReactNode;
  /** Starts the guided tour again. */
  onRestartTutorial?: () => void;
  children: ReactNode;
}

/** The bars, skip link, progress line and offline notice around a screen's content, which is the main landmark. */
export function Shell({ viewer, counts, search, onRestartTutorial, children }: ShellProps) {
  return (
    <div className="shell" data-viewer={viewer?.id}>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <NavigationProgress />
      <TopBar viewer={viewer} counts={counts} search={search} onRestartTutorial={onRestartTutorial} />
      <OfflineNotice />
      <main className="shell__main" id="content" tabIndex={-1}>
        {children}
      </main>
      {viewer && <BottomBar counts={counts} />}
    </div>
  );
}

/** A gold line at the top while the next screen loads. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return <div className="progress" role="progressbar" aria-label="Loading" />;
}

/** Shows a notice while the connection is gone. */
export function OfflineNotice() {
  const online = useSyncExternalStore(
    watchConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!online && (
        <p className="offline">
          <Icon name="wifi-off" size="small" />
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  );
}

function watchConnection(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
