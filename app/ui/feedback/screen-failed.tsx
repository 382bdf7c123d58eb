import { isNotFound } from "./is-not-found.ts";
import { EmptyState, ErrorState, type StateProps } from "./state.tsx";

interface ScreenFailedProps {
  title: string;
  /** Of a screen about one thing: why it failed, and what to show if there is no such thing. */
  error?: unknown;
  missing?: StateProps;
}

/** Instead of a screen that could not be loaded. */
export function ScreenFailed({ title, error, missing }: ScreenFailedProps) {
  return (
    <div className="page">
      {missing && isNotFound(error) ? (
        <EmptyState level={1} {...missing} />
      ) : (
        <ErrorState level={1} title={title} sentence="Please check your connection and try again." />
      )}
    </div>
  );
}
