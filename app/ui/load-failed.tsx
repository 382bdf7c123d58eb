import { useEffect } from "react";
import { EmptyState, ErrorState, type StateProps } from "./state.tsx";
import { toast } from "./toast.ts";

/** A whole screen whose data did not come: says what could not be loaded, also in a toast, and offers to try again. */
function LoadFailed({ title }: { title: string }) {
  useEffect(() => toast.error(title), [title]);
  return <ErrorState level={1} title={title} sentence="Please check your connection and try again." />;
}

interface ScreenFailureProps {
  error: unknown;
  /** Said where there is no such thing. */
  missing: Pick<StateProps, "title" | "sentence" | "action">;
  /** Said where it could not be loaded. */
  failed: string;
}

/** A screen without what it is about: there is none, or it could not be loaded. */
export function ScreenFailure({ error, missing, failed }: ScreenFailureProps) {
  const isMissing = typeof error === "object" && error !== null && "status" in error && error.status === 404;
  return (
    <div className="page">
      {isMissing ? <EmptyState level={1} icon="search" {...missing} /> : <LoadFailed title={failed} />}
    </div>
  );
}
