import { useEffect } from "react";
import { UnseenPayment } from "./failure.tsx";
import { isNotFound } from "./is-not-found.ts";
import { EmptyState, ErrorState, type StateProps } from "./state.tsx";
import { toast } from "./toast.ts";

/** A screen whose data couldn't be loaded: says so, also in a toast, and offers to try again. */
function LoadFailed({ title, paying }: { title: string; paying: boolean }) {
  useEffect(() => toast.error(title), [title]);
  if (paying) return <UnseenPayment title={title} />;
  return <ErrorState level={1} title={title} sentence="Please check your connection and try again." />;
}

interface ScreenFailureProps {
  error: unknown;
  /** Shown when it doesn't exist. */
  missing: Pick<StateProps, "title" | "sentence" | "action">;
  /** Shown where it could not be loaded. */
  failed: string;
  /** Whether it shows a payment of the person who looks. */
  paying?: boolean;
}

/** Instead of a screen about one thing: there is no such thing, or it could not be loaded. */
export function ScreenFailure({ error, missing, failed, paying = false }: ScreenFailureProps) {
  return (
    <div className="page">
      {isNotFound(error) ? (
        <EmptyState level={1} icon="search" {...missing} />
      ) : (
        <LoadFailed title={failed} paying={paying} />
      )}
    </div>
  );
}
