import { useEffect } from "react";
import { Form, redirect, useNavigation, useSubmit } from "react-router";
import type { Route } from "./+types/logout.ts";
import { leaveSession } from "#app/accounts/login/session.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const FAILED = "Failed to log out";
/** Pause between two attempts to log out, in ms. */
const AGAIN_MS = 5_000;

export function meta() {
  return pageMeta("Log out");
}

/** Shown to members: when logging out failed, or when they opened this address. */
export function loader({ context }: Route.LoaderArgs) {
  return context.get(viewerContext) ? null : redirect("/auth");
}

/**
 * This screen must work without a connection, because that is why a logout fails. So it asks the server for nothing.
 */
export function clientLoader() {
  return null;
}

/** Ends the session of this browser. Other devices stay logged in. Whatever fails, the browser forgets its session. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const headers = new Headers();
  let failed = false;
  try {
    const session = await services.sessions.read(request);
    if (session) await leaveSession(services, session.identity);
  } catch (error) {
    failed = true;
    services.log({ event: "sign_out_failed", level: "error", error: String(error) });
  }
  headers.append("Set-Cookie", await services.sessions.end(request));
  // Whoever logs in next must not continue with what this person pressed.
  headers.append("Set-Cookie", await services.pendingAction.clear());
  const message = failed
    ? ({ kind: "error", text: FAILED } as const)
    : ({ kind: "success", text: "Logged out successfully" } as const);
  return redirectWithFlash(services, "/auth", { ...message, isGoodbye: true }, headers);
}

/** Without an answer nobody is logged out, and the screen says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const isRetry = (await request.clone().formData()).has("again");
  return passOn(serverAction, () => {
    if (!isRetry) toast.error(FAILED);
    return { failed: true };
  });
}

export default function Logout({ actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const submit = useSubmit();
  const { state } = useNavigation();
  const failed = answer !== null;
  useEffect(() => {
    // An attempt would end what is under way: the one before, or "Stay Logged In".
    if (!failed || state !== "idle") return;
    const timer = setTimeout(() => void submit({ again: "yes" }, { method: "post", replace: true }), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [failed, state, submit]);
  return (
    <main className="screen" id="content" tabIndex={-1}>
      <ErrorState
        level={1}
        icon={failed ? "wifi-off" : "log-out"}
        title={failed ? FAILED : "Log out?"}
        sentence={
          failed
            ? "You're still logged in on this device, because we couldn't reach the server. Keep this page open: we'll try again every few seconds."
            : "You're still logged in on this device."
        }
        action={
          <>
            <Form method="post">
              <Button type="submit">Log out</Button>
            </Form>
            <LinkButton to="/home" variant="soft">
              Stay Logged In
            </LinkButton>
          </>
        }
      />
    </main>
  );
}
