import { useEffect } from "react";
import { useRevalidator, useRouteError } from "react-router";
import { LinkButton } from "./button.tsx";
import { isNotFound } from "./is-not-found.ts";
import { NoConnection } from "./no-connection.tsx";
import { ErrorState, RetryButton } from "./state.tsx";

/** How often to request a failed screen again, in ms. */
const LOOK_AGAIN_MS = 3_000;

/** Replaces a screen that failed and has no message of its own. */
export function Failure() {
  const error = useRouteError();
  if (isConnectionFailure(error)) return <ConnectionGone />;
  const missing = isNotFound(error);
  return (
    <ErrorState
      level={1}
      icon={missing ? "search" : "circle-alert"}
      title={missing ? "Page Not Found" : "Something went wrong"}
      sentence={
        missing
          ? "The page you are looking for does not exist or has been removed."
          : "The problem is on our side, and we've logged it. Please try again."
      }
      action={
        <>
          {!missing && <RetryButton />}
          <LinkButton to="/home" variant="soft" tone="gray" reloadDocument>
            Go to the home page
          </LinkButton>
        </>
      }
    />
  );
}

/** No answer came to the request for a screen. Each browser has its own words for it, in a TypeError. */
function isConnectionFailure(error: unknown): boolean {
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

/**
 * The screen loads when the connection is back. It finds out by asking, because a network without internet access looks
 * like a connection.
 */
function ConnectionGone() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void revalidate(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return <NoConnection />;
}
