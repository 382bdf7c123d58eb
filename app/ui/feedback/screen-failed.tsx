import type { ReactNode } from "react";
import { isNotFound } from "./is-not-found.ts";
import { EmptyState, ErrorState, type StateProps } from "./state.tsx";

interface ScreenFailedProps {
  /** What could not be loaded. */
  title: string;
  /** Of a screen about one thing: why it failed, and what to show if there is no such thing. */
  error?: unknown;
  missing?: StateProps;
  /** Replaces what says that it could not be loaded. */
  children?: ReactNode;
}

/** Instead of a screen: there is no such thing, or it could not be loaded. */
export function ScreenFailed({ title, error, missing, children }: ScreenFailedProps) {
  return (
    <div className="page">
      {missing && isNotFound(error) ? (
        <EmptyState level={1} {...missing} />
      ) : (
        (children ?? <ErrorState level={1} title={title} />)
      )}
    </div>
  );
}
