import { redirect } from "react-router";
import type { Route } from "./+types/join.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { viewerContext } from "#app/request/context.ts";

/**
 * The link by which a member invites others. It leads to the sign-up, which notes whose link it was, and afterwards
 * through here to what it brings. Who has an account already reads how to invite others.
 */
export function loader({ params, context }: Route.LoaderArgs) {
  throw redirect(
    context.get(viewerContext)
      ? "/invite"
      : withReturnPath("/auth/signup", `/join/${encodeURIComponent(params.shortId)}`),
  );
}
