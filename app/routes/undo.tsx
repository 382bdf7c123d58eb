import { data, Form, redirect } from "react-router";
import type { Route } from "./+types/undo.ts";
import { EMAIL_TEXTS, SIGN_IN_TEXTS, UNDO_TEXTS } from "#app/accounts/login/account-rules.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { removeDocuments } from "#app/accounts/erase.server.ts";
import { maskEmail } from "#app/accounts/login/sign-up-rules.ts";
import { findTakingBack, takeBack } from "#app/accounts/login/take-back.server.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";

/**
 * The screen of the link that undoes the changes of an account. It is open to everybody, because its owner may be
 * locked out.
 */
export function meta() {
  // The address holds the token, so no other site may learn it.
  return [...pageMeta("Take your account back"), { name: "referrer", content: "same-origin" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const found = await findTakingBack(context.get(servicesContext), token);
  return { token, link: found && { email: maskEmail(found.email), since: formatDateTime(found.since) } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`undo:${networkOf(context.get(requestContext).address)}`)))
    return data({ isSuspended: false, error: SIGN_IN_TEXTS.busy }, 429);
  const token = (await request.formData()).get("token");
  const done = await takeBack(services, typeof token === "string" ? token : "", lookAgainAtNumber);
  if (!done.ok)
    return data({ isSuspended: false, error: done.code === "over" ? UNDO_TEXTS.over : EMAIL_TEXTS[done.code] }, 409);
  services.defer(services.notifier.endSessions(done.userId));
  services.defer(removeDocuments(services, done.documentKeys));
  services.drainOutbox();
  if (done.resetToken === null) return data({ isSuspended: true, error: null });
  return redirect(`/auth/reset?token=${done.resetToken}&undone=yes`);
}

/** When no answer of ours arrives, the link may still work. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ isSuspended: false, error: EMAIL_TEXTS.lost }));
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function Undo({ loaderData: { token, link }, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  if (answer?.isSuspended)
    return (
      <AuthLayout title="Your account is as it was" lead={UNDO_TEXTS.suspended}>
        <LinkButton to="/support" variant="soft">
          Contact Support
        </LinkButton>
      </AuthLayout>
    );
  if (link === null)
    return (
      <AuthLayout title="This link no longer works" lead={UNDO_TEXTS.over}>
        <LinkButton to="/auth/forgot" wide>
          Choose a New Password
        </LinkButton>
        <p>
          You can't get in? <TextLink to="/support">Write to us</TextLink>.
        </p>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Take your account back?" lead="One press, and your account is yours alone.">
      {answer?.error && (
        <Callout tone="red" role="alert">
          {answer.error}
        </Callout>
      )}
      <ul>
        <li>
          Email, M-Pesa number, second step and other logins, such as Google, are again as they were on{" "}
          <strong>{link.since}</strong>. The email is <strong className="verification__email">{link.email}</strong>.
        </li>
        <li>Everybody is logged out, on all devices, and the password stops working.</li>
        <li>You choose a new password. Until then, we send no payouts.</li>
      </ul>
      <p className="quiet">You made these changes yourself? Then close this page. Nothing has happened.</p>
      <Form method="post" className="stack">
        <input type="hidden" name="token" value={token} />
        <SubmitButton busyLabel="One moment...">Take My Account Back</SubmitButton>
      </Form>
    </AuthLayout>
  );
}
