import { useEffect } from "react";
import { data, Form } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/sign-in.ts";
import { normalizeEmail, SIGN_IN_TEXTS, safeReturnPath, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import { isPhone, knowsAccount } from "#app/accounts/login/devices.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { askSecondStep } from "#app/accounts/two-step/second-step.server.ts";
import { IssuerButtons, OrDivider } from "#app/accounts/components/issuer-buttons.tsx";
import { listIssuers } from "#app/accounts/login/find-issuers.server.ts";
import { SignInForm } from "#app/accounts/components/sign-in-form.tsx";
import { ResendConfirmation } from "#app/accounts/components/resend-confirmation.tsx";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { MarketPreview } from "#app/screens/market-preview/market-preview.tsx";
import { pendingActionText } from "#app/screens/pending-action-text.server.ts";
import { loadMarketPreview } from "#app/screens/market-preview/market-preview.server.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const form = z.object({ email: z.string().min(1).max(320), password: z.string().min(1).max(1000) });

export function meta() {
  return pageMeta("Log in");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  const [issuers, products, lead] = await Promise.all([
    listIssuers(services),
    loadMarketPreview(services),
    pendingActionText(services, request, to),
  ]);
  return { issuers, products, keep: isPhone(request.headers), to, lead };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const { address } = context.get(requestContext);
  const sent = await request.formData();
  const parsed = form.safeParse(Object.fromEntries(sent));
  if (!parsed.success)
    return data({ error: SIGN_IN_TEXTS.invalid, code: "invalid" as const, email: "", keep: sent.has("keep") }, 400);

  const email = normalizeEmail(parsed.data.email);
  const keep = sent.has("keep");
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  const device = await services.devices.read(request);
  // Other people on the network can't use up the attempts of the owner's own device.
  const from = knowsAccount(services, device, email) ? `device:${device.id}` : networkOf(address);
  const allowed =
    (await services.limits.address(`sign-in:${from}`)) && (await services.limits.signIn(`${from}:${email}`));
  const attempt = { email, password: parsed.data.password, address, device };
  try {
    const result = allowed ? await signIn(services, attempt) : { ok: false as const, code: "busy" as const };
    if (!result.ok) {
      // The password was right, so the confirmation link works in this browser without typing it again.
      const headers =
        result.code === "not_confirmed"
          ? { "Set-Cookie": await services.pendingEmail.write({ userId: result.userId, email, warnings: [], to }) }
          : undefined;
      return data(
        { error: SIGN_IN_TEXTS[result.code], code: result.code, email, keep },
        { status: result.code === "busy" || result.code === "paused" ? 429 : 401, headers },
      );
    }
    const who = { ...result, email, kept: keep };
    const asked = await askSecondStep(services, request, who, to);
    if (asked) return asked;
    const headers = await signInHeaders(services, request, who);
    if (!result.profileComplete) return redirectAfterSignIn(services, result, headers, to);
    const greeting = { kind: "success", text: SIGN_IN_TEXTS.success, duration: 2000 } as const;
    return await redirectWithFlash(services, to ?? "/home", greeting, headers);
  } catch (error) {
    services.log({ event: "sign_in_failed", level: "error", error: String(error) });
    return data({ error: SIGN_IN_TEXTS.connection, code: "connection" as const, email, keep }, 500);
  }
}

/** When no answer of ours arrives, the form keeps its values and shows an error. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({
    error: SIGN_IN_TEXTS.connection,
    code: "connection" as const,
    email: null,
    keep: null,
  }));
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { issuers, products, to } = loaderData;
  useEffect(() => {
    if (answer?.code === "connection") toast.error(SIGN_IN_TEXTS.connection_toast, { duration: 5000 });
    else if (answer && answer.code !== "not_confirmed") toast.error(answer.error, { duration: 3000 });
  }, [answer]);
  return (
    <AuthLayout title="Welcome Back" lead={loaderData.lead} about={<MarketPreview products={products} />}>
      <Form method="post" replace className="stack" noValidate={false}>
        <SignInForm
          error={answer?.error ?? null}
          tone={answer?.code === "not_confirmed" ? "orange" : "red"}
          email={answer?.email ?? null}
          keep={answer?.keep ?? loaderData.keep}
        />
      </Form>
      {answer?.code === "paused" && <EmailLink email={answer.email} />}
      {answer?.code === "not_confirmed" && <ResendConfirmation email={answer.email} offer={answer} />}
      {issuers.length > 0 && (
        <>
          <OrDivider />
          <IssuerButtons issuers={issuers} to={to} />
        </>
      )}
      <p className="row row--apart quiet">
        Don't have an account?{" "}
        <LinkButton to={withReturnPath("/auth/signup", to)} variant="soft">
          Sign Up
        </LinkButton>
      </p>
    </AuthLayout>
  );
}

/** Lets the owner in when somebody else on the network is guessing their password. */
function EmailLink({ email }: { email: string | null }) {
  return (
    <Form method="post" action="/auth/forgot">
      <input type="hidden" name="email" value={email ?? ""} />
      <Button type="submit" variant="soft" wide>
        Email Me a Link
      </Button>
    </Form>
  );
}
