import { useEffect } from "react";
import { data, isRouteErrorResponse } from "react-router";
import type { Route } from "./+types/sign-up.ts";
import { listIssuers } from "#app/accounts/login/find-issuers.server.ts";
import { listCampuses } from "#app/accounts/profile/campuses.server.ts";
import { SignUpForm } from "#app/accounts/components/sign-up-form.tsx";
import { invitationText } from "#app/accounts/invitations/invitation-rules.ts";
import { findInviter } from "#app/accounts/invitations/invitations.server.ts";
import { safeReturnPath, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { accountTypeIn, readDocumentField, readSignUpForm } from "#app/accounts/login/sign-up-fields.ts";
import {
  SIGN_UP_TEXTS,
  SIGN_UP_WARNINGS,
  type SignUpErrors,
  signUpFailure,
  type SignUpValues,
} from "#app/accounts/login/sign-up-rules.ts";
import { signUp } from "#app/accounts/login/sign-up.server.ts";
import { UPLOAD_ERRORS, UPLOAD_MAX_BYTES } from "#app/platform/upload-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { readFileForm } from "#app/request/form-data.server.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { brand } from "#app/ui/page/brand.ts";
import { brandPicture, shareMeta } from "#app/ui/sharing/share-meta.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { MarketPreview } from "#app/screens/market-preview/market-preview.tsx";
import { pendingActionText } from "#app/screens/pending-action-text.server.ts";
import { loadMarketPreview } from "#app/screens/market-preview/market-preview.server.ts";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** Bytes. A file that is a little too large is still read, so that the other fields are not lost with it. */
const MAX_FORM = UPLOAD_MAX_BYTES + 6 * 1024 * 1024;
/** How long a warning about the new account stays, ms. */
const WARNING_MS = 8000;

/** Whoever gets a link of an invitation reads in their messenger whose it is. */
export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData?.inviter) return pageMeta("Sign up");
  const { inviter, origin } = loaderData;
  return shareMeta({
    title: `${inviter} invites you to ${brand.name}`,
    description: brand.description,
    url: `${origin}/auth/signup`,
    type: "website",
    image: brandPicture(origin),
  });
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { searchParams } = new URL(request.url);
  const to = safeReturnPath(searchParams.get("to"));
  const inviter = await findInviter(services, to);
  const shown = {
    type: accountTypeIn(searchParams),
    to,
    inviter,
    origin: new URL(request.url).origin,
    lead: inviter === null ? await pendingActionText(services, request, to) : invitationText(inviter),
  };
  const [issuers, products, campuses] = await Promise.all([
    listIssuers(services),
    loadMarketPreview(services),
    listCampuses(services.db).catch((error: unknown) => {
      services.log({ event: "campuses_failed", level: "error", error: String(error) });
      return null;
    }),
  ]);
  return { ...shown, issuers, products, campuses };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const { address } = context.get(requestContext);
  if (!(await services.limits.address(`sign-up:${networkOf(address)}`)))
    return respond(429, { error: SIGN_UP_TEXTS.busy });
  const sent = await readFileForm(request, MAX_FORM);
  if (!sent.ok)
    return sent.code === "too_large"
      ? respond(413, { errors: { document: UPLOAD_ERRORS.too_large } })
      : respond(422, { error: SIGN_UP_TEXTS.unreadable });

  const values = readSignUpForm(sent.form);
  if (sent.isCut) return respond(413, { values, errors: { document: UPLOAD_ERRORS.too_large } });
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  try {
    const result = await signUp(services, { values, document: readDocumentField(sent.form), address, to });
    if (!result.ok)
      return result.code === "busy"
        ? respond(429, { values, error: SIGN_UP_TEXTS.busy })
        : respond(400, { values, errors: result.errors });
    const { userId, email, warnings } = result;
    const [warning] = warnings;
    const headers = new Headers();
    headers.append("Set-Cookie", await services.pendingEmail.write({ userId, email, warnings, to }));
    const message = warning
      ? ({ kind: "warning", text: SIGN_UP_WARNINGS[warning], duration: WARNING_MS } as const)
      : ({ kind: "success", text: SIGN_UP_TEXTS.success } as const);
    return await redirectWithFlash(services, "/auth/check-email", message, headers);
  } catch (error) {
    services.log({ event: "sign_up_failed", level: "error", error: String(error) });
    return respond(500, { values, error: SIGN_UP_TEXTS.server });
  }
}

function respond(
  status: number,
  { values, errors = {}, error = null }: { values?: SignUpValues; errors?: SignUpErrors; error?: string | null },
) {
  const { password: _password, ...kept } = values ?? { password: "" };
  return data({ values: kept, errors, error }, status);
}

/** When no answer of ours arrives, the form keeps its values and shows an error. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (error) => ({
    values: {},
    errors: {},
    error: signUpFailure(isRouteErrorResponse(error) ? error.status : undefined),
  }));
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { type, issuers, to, lead, products, campuses } = loaderData;
  useEffect(() => {
    if (!campuses) toast.error(SIGN_UP_TEXTS.campuses_failed);
  }, [campuses]);
  return (
    <AuthLayout title="Create an Account" lead={lead} about={<MarketPreview products={products} />}>
      <SignUpForm type={type} issuers={issuers} to={to} campuses={campuses ?? []} answer={answer} />
      <p className="quiet">
        Already have an account? <TextLink to={withReturnPath("/auth", to)}>Log in</TextLink>
      </p>
    </AuthLayout>
  );
}
