import type { ReactNode } from "react";
import { ErrorState } from "./state.tsx";

/** Instead of a screen that could not be fetched; whoever shows it sees to it that the screen comes. */
export function NoConnection({ action }: { action?: ReactNode }) {
  return (
    <ErrorState
      level={1}
      icon="wifi-off"
      title="No connection"
      sentence="This page couldn't be loaded. It will load automatically when you're back online."
      action={action}
    />
  );
}
