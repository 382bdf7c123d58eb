import { useEffect, useRef } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import type { Route } from "./+types/auth-callback.ts";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import "#app/accounts/components/accounts.css";
import { CallbackQuestionFields, QuestionLead } from "#app/accounts/components/callback-question.tsx";
import { confirmEmail, disownSignUp, sendPasswordResetInstead } from "#app/accounts/login/confirmation.server.ts";
import { removeDocuments } from "#app/accounts/erase.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { mayAskForReset } from "#app/accounts/login/password-reset.server.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import {
  CALLBACK_ERRORS,
  CALLBACK_FAILED,
  CALLBACK_FAILED_MS,
  QUESTION_TEXTS,
} from "#app/accounts/login/sign-up-rules.ts";
import { askSecondStep } from "#app/accounts/two-step/second-step.server.ts";
import { findLevel } from "#app/accounts/trust/verified.server.ts";
import { NEW_STUDENT_TEXT } from "#app/accounts/trust/verified-rules.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { requestContext, servicesContext, viewerContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { Spinner } from "#app/ui/feedback/spinner.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { Unscripted } from "#app/ui/feedback/unscripted.tsx";

export function meta() {
  return [...pageMeta("Verifying account"), { name: "robots", content: "noindex" }];
}

/**
 * Only shows the page. Mail scanners open links too, so the link is used up only when the page, or a person, submits
 * the form.
 */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get("token") ?? "" };
}

/** The screen shows a failure and lets the visitor try again. */
export async function action(args: Route.ActionArgs) {
  try {
    return await enter(args);
  } catch (error) {
    args.context.get(servicesContext).log({ event: "callback_failed", level: "error", error: String(error) });
    return data({ error: CALLBACK_FAILED }, 500);
  }
}

/** A link logs in. Without a link, members continue to their screen and visitors go to the login. */
async function enter({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const { address } = context.get(requestContext);
  if (!(await services.limits.address(`callback:${networkOf(address)}`)))
    return data({ error: CALLBACK_ERRORS.busy }, 429);
  const form = await request.formData();
  const viewer = context.get(viewerContext);
  const token = form.get("token");
  if (typeof token !== "string" || token === "") {
    if (viewer) return redirectAfterSignIn(services, viewer);
    if (await services.sessions.read(request)) return data({ error: CALLBACK_ERRORS.no_user }, 401);
    return form.get("fragment") ? data({ error: CALLBACK_ERRORS.no_token }, 400) : redirect("/auth");
  }
  if (form.get("intent") === "forgot") return mailReset(services, token, address);
  if (form.get("intent") === "disown") return disown(services, token);
  const password = form.get("password");
  const pending = await services.pendingEmail.read(request);
  const result = await confirmEmail(services, token, {
    signedUp: pending?.userId ?? null,
    signedIn: viewer?.id ?? null,
    password: typeof password === "string" ? password : null,
    switches: form.has("switches"),
    address,
    device: await services.devices.read(request),
  });
  if (!result.ok) {
    if (result.code !== "question") return data({ error: CALLBACK_ERRORS[result.code] }, 400);
    const { question, refused } = result;
    const errors = refused === null ? {} : { password: QUESTION_TEXTS[refused] };
    return data({ question, errors, signedInAs: viewer?.email ?? null }, STATUS_OF[refused ?? "asked"]);
  }
  services.drainOutbox();
  const to = pending?.userId === result.userId ? pending.to : null;
  const asked = await askSecondStep(services, request, result, to);
  if (asked) return asked;
  const headers = await signInHeaders(services, request, result);
  headers.append("Set-Cookie", await services.pendingEmail.clear());
  const isStudent = VERIFIED.isStudent(await findLevel(services.db, result.userId));
  const greeting = isStudent ? { text: `Welcome! ${NEW_STUDENT_TEXT}` } : undefined;
  return redirectAfterSignIn(services, result, headers, to, greeting);
}

const STATUS_OF = { asked: 200, missing: 400, invalid: 401, paused: 429 } as const;

async function mailReset(services: Services, token: string, address: string | null) {
  if (!(await mayAskForReset(services, address))) return data({ error: CALLBACK_ERRORS.busy }, 429);
  const asked = await sendPasswordResetInstead(services, token);
  if (!asked.ok) return data({ error: CALLBACK_ERRORS[asked.code] }, 400);
  services.defer(asked.sending.then(() => services.drainOutbox()));
  return data({ done: "reset" as const, email: asked.email });
}

async function disown(services: Services, token: string) {
  const disowned = await disownSignUp(services, token);
  if (!disowned.ok) return data({ error: CALLBACK_ERRORS[disowned.code] }, 400);
  services.defer(removeDocuments(services, disowned.documentKeys));
  return data({ done: "disowned" as const, email: null });
}

/** When our server doesn't answer, the screen says so and offers another try. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ error: CALLBACK_FAILED }));
}

/** Copies the token from the link into the form. The token is behind the "#", which browsers never send to servers. */
function takeFragment(form: HTMLFormElement): void {
  const { hash } = window.location;
  const fragment = new URLSearchParams(hash.slice(1));
  const token = form.elements.namedItem("token");
  const mark = form.elements.namedItem("fragment");
  if (token instanceof HTMLInputElement) token.value ||= fragment.get("token") ?? fragment.get("access_token") ?? "";
  if (mark instanceof HTMLInputElement && hash.length > 1) mark.value = "yes";
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function AuthCallback({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { state } = useNavigation();
  const started = useRef(false);
  const asked = answer && "question" in answer ? answer : null;
  const fields = useFieldErrors(asked?.errors);
  const form = fields.form.ref;
  useEffect(() => {
    if (started.current || !form.current) return;
    started.current = true;
    takeFragment(form.current);
    form.current.requestSubmit();
  }, [form]);
  useEffect(() => {
    if (answer && "error" in answer) toast.error(CALLBACK_FAILED, { duration: CALLBACK_FAILED_MS });
  }, [answer]);

  if (answer && "done" in answer) return answer.done === "reset" ? <ResetMailed email={answer.email} /> : <Disowned />;
  const failed = answer && "error" in answer && state === "idle" ? answer.error : null;
  return (
    <AuthLayout
      title={failed !== null ? "Authentication Error" : asked ? "One more step" : "Verifying account..."}
      lead={asked && <QuestionLead question={asked.question} />}
    >
      {failed !== null && (
        <Callout tone="red" role="alert">
          {failed}
        </Callout>
      )}
      <Form method="post" replace className="stack" noValidate {...fields.form}>
        <input type="hidden" name="token" defaultValue={loaderData.token} />
        <input type="hidden" name="fragment" defaultValue="" />
        {asked && (
          <CallbackQuestionFields
            question={asked.question}
            signedInAs={asked.signedInAs}
            error={fields.of("password")}
          />
        )}
        {failed !== null && (
          <>
            <LinkButton to="/auth" wide>
              Return to Login
            </LinkButton>
            <SubmitButton busyLabel="Verifying account..." variant="soft">
              Retry
            </SubmitButton>
          </>
        )}
        {!asked && failed === null && <Waiting />}
      </Form>
      {failed !== null && (
        <p className="quiet">
          Link expired? <TextLink to="/auth/check-email">Send a new one</TextLink>
        </p>
      )}
    </AuthLayout>
  );
}

/** The link to a new password goes to the same address as the confirmation link. */
function ResetMailed({ email }: { email: string }) {
  return (
    <AuthLayout
      title="Check Your Email"
      lead={
        <>
          We've sent a link to choose a new password to <strong className="verification__email">{email}</strong>.
        </>
      }
    >
      <p className="quiet">
        It confirms your email, too. The link works once and expires in one hour. Can't find it? Check your spam folder.
      </p>
      <p className="row">
        <TextLink to="/auth">Return to Login</TextLink>
      </p>
    </AuthLayout>
  );
}

function Disowned() {
  return (
    <AuthLayout
      title="Sign-up deleted"
      lead="That sign-up no longer uses your email. You can sign up yourself at any time."
    >
      <LinkButton to="/auth/signup" wide>
        Sign Up
      </LinkButton>
      <p className="row">
        <TextLink to="/auth">Return to Login</TextLink>
      </p>
    </AuthLayout>
  );
}

/** The page submits its form by itself. Without scripts, the visitor presses the button. */
function Waiting() {
  return (
    <>
      <p className="verifying" role="status">
        <Spinner />
        We're checking your link. This takes a moment.
      </p>
      <Unscripted>
        <Button type="submit" wide>
          Confirm my email
        </Button>
      </Unscripted>
    </>
  );
}
