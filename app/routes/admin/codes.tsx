import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/codes.ts";
import { type CodesAnswer, CodesView } from "#app/admin/people/codes-view.tsx";
import { generateCodes, listCodes, readCodeCount } from "#app/admin/people/codes.server.ts";
import { CODE_TEXTS, generatedText } from "#app/admin/people/code-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { isNotFound } from "#app/ui/feedback/is-not-found.ts";
import { NO_ANSWER } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Wholesaler Access Codes");
}

const show = z.enum(["all", "available", "used"]).catch("all");

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const filter = show.parse(searchParams.get("show"));
  const after = searchParams.get("after");
  return {
    ...(await listCodes(context.get(servicesContext).db, filter, after)),
    filter,
    begun: after !== null,
    formKey: crypto.randomUUID(),
  };
}

const form = z.object({ count: z.string().max(20).catch(""), formKey: z.uuid().optional().catch(undefined) });

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const { count, formKey } = form.parse(Object.fromEntries(await request.formData()));
  if (!(await services.limits.write(viewer.id)))
    return data<CodesAnswer>({ ok: false, message: TOO_MANY_REQUESTS, codes: [] }, 429);
  const wanted = readCodeCount(count);
  if (wanted === null)
    return data<CodesAnswer>(
      {
        ok: false,
        message: CODE_TEXTS.count,
        codes: [],
        errors: { count: CODE_TEXTS.count },
        typed: count,
      },
      400,
    );
  const codes = await generateCodes(services, viewer, wanted, formKey);
  if (!codes) return data<CodesAnswer>({ ok: false, message: CODE_TEXTS.failed, codes: [] }, 403);
  return data<CodesAnswer>({ ok: true, message: generatedText(codes.length), codes }, 200);
}

/** An ended session gets the answer of a missing page. Without a connection there is no answer at all. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    const signedOut = isNotFound(error);
    return data<CodesAnswer>(
      { ok: false, message: signedOut ? CODE_TEXTS.signed_out : CODE_TEXTS.failed, codes: [] },
      NO_ANSWER,
    );
  }
}

export default function Codes({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <CodesView {...loaderData} answer={answer} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title={CODE_TEXTS.load_failed} />;
}
