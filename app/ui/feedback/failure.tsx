import { useLocation, useRouteError } from "react-router";
import { usePolling } from "#app/ui/browser/use-polling.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { isNotFound } from "./is-not-found.ts";
import { NoConnection } from "./no-connection.tsx";
import { ErrorState, RetryButton } from "./state.tsx";

/** How often to request a failed screen again, in ms. Each time it is tried up to three times (reload.ts). */
const LOOK_AGAIN_MS = 10_000;

/** Screens on which somebody pays, or sees whether they have paid. */
const PAYING = /^\/(checkout|order-confirmation|orders|subscription)(\/|$)/;

/**
 * Where we can't see a payment, because our records can't be read. The screen that says it must look again by itself
 * (`usePolling`).
 */
const UNSEEN_PAYMENT =
  "If you were paying: we can't see yet whether your payment went through. Don't pay again. If you entered your PIN, it counts, and this page shows it as soon as we can see it.";

/** Replaces a screen that failed and has no message of its own. */
export function Failure() {
  const error = useRouteError();
  const { pathname } = useLocation();
  if (isConnectionFailure(error)) return <ConnectionGone />;
  const missing = isNotFound(error);
  if (!missing && PAYING.test(pathname)) return <UnseenPayment title="Something went wrong" />;
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
          <LinkButton to="/home" variant="soft" reloadDocument>
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
  usePolling(LOOK_AGAIN_MS, true);
  return <NoConnection />;
}

/** Instead of a screen with a payment. It loads when the payment can be seen again. */
export function UnseenPayment({ title }: { title: string }) {
  usePolling(LOOK_AGAIN_MS, true);
  return <ErrorState level={1} title={title} sentence={UNSEEN_PAYMENT} />;
}
