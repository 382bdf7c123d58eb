import type { ReactNode } from "react";
import { ErrorState } from "./state.tsx";

/** Replaces a screen that couldn't be loaded. The component that shows it must load the screen again. */
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
