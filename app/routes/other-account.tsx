import { Form, redirect } from "react-router";
import type { Route } from "./+types/other-account.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { viewerContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";

/** For somebody who logs in or signs up while another account is logged in here. The session stays as it is. */
export function meta() {
  return pageMeta("You're logged in already");
}

export function loader({ context }: Route.LoaderArgs) {
  const viewer = context.get(viewerContext);
  if (!viewer) throw redirect("/auth");
  return { email: viewer.email };
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function OtherAccount({ loaderData: { email } }: Route.ComponentProps) {
  return (
    <AuthLayout
      title="You're logged in already"
      lead={
        <>
          You are logged in as <strong className="verification__email">{email}</strong>. Log out to use another account.
        </>
      }
    >
      <Form method="post" replace action="/logout">
        <SubmitButton busyLabel="Logging out...">Log Out</SubmitButton>
      </Form>
      <LinkButton to="/home" variant="soft" wide>
        Stay Logged In
      </LinkButton>
    </AuthLayout>
  );
}
