import { data, redirect } from "react-router";
import type { Route } from "./+types/import-listings.ts";
import { checkListingFile, IMPORT_RUNNING } from "#app/catalogue/import/check-listing-file.server.ts";
import { ImportView } from "#app/catalogue/import/components/import-view.tsx";
import { FILE_MAX } from "#app/catalogue/import/listing-columns.ts";
import {
  cancelImport,
  openImportPage,
  startImport,
  type StartRefusal,
} from "#app/catalogue/import/listing-imports.server.ts";
import { runImports } from "#app/catalogue/import/run-listing-import.server.ts";
import { openHeldCases } from "#app/moderation/held-cases.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { useFailureToast } from "#app/ui/feedback/use-result-toast.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** Bytes: a file, and the fields around it. */
const MAX_FORM = FILE_MAX.bytes + 64 * 1024;
/** How long one request imports rows, ms. */
const RUN_MS = 1_500;

const START_TEXTS: Record<StartRefusal, string> = {
  gone: "This file can't be imported any more. Please send it again.",
  running: IMPORT_RUNNING,
  too_many: `You can import ${FILE_MAX.rows.toLocaleString("en")} new listings a day. Please start this import tomorrow.`,
};

export function meta() {
  return pageMeta("Import Listings");
}

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  return { page: await openImportPage(context.get(servicesContext).db, viewer.id), needsPhone: !viewer.phone };
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const sent = await readForm(request, MAX_FORM);
  // Only the form with the file can be that large.
  if (!sent.ok) return sent.code === "too_large" ? refuseFile(TOO_LARGE, 413) : refuse(400, UNREADABLE);
  const intent = sent.form.get("intent");
  const asked = { sellerId: viewer.id, importId: String(sent.form.get("importId")) };
  if (!(await services.limits.write(viewer.id))) return refuse(429, TOO_MANY_REQUESTS);

  if (intent === "check") {
    const file = sent.form.get("file");
    // A form without a chosen file sends one without a name.
    if (!(file instanceof File) || file.name === "") return refuseFile("Choose a CSV file first.");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const checked = await checkListingFile(services, { sellerId: viewer.id, fileName: file.name, bytes });
    // The page of an import that runs has no field for a file.
    if (!checked.ok) return checked.error === IMPORT_RUNNING ? refuse(409, checked.error) : refuseFile(checked.error);
  } else if (intent === "start") {
    if (!viewer.phone) return refuse(400, "Add your M-Pesa number first.");
    const started = await startImport(services, asked);
    if (!started.ok) return refuse(409, START_TEXTS[started.code]);
    await runImports(services, openHeldCases, { sellerId: viewer.id, untilMs: services.now() + RUN_MS });
  } else if (intent === "continue") {
    const rows = await runImports(services, openHeldCases, { sellerId: viewer.id, untilMs: services.now() + RUN_MS });
    return data({ ok: true as const, rows });
  } else if (intent === "cancel") await cancelImport(services, asked);
  else return refuse(400, UNREADABLE);
  return redirect("/myshop/import");
}

const TOO_LARGE = "This file is larger than 1 MB. Please split it into smaller files.";
const UNREADABLE = "We couldn't read what was sent. Please try again.";
const NO_CONNECTION = "We couldn't reach Chuoni. Please check your connection and try again.";

function refuse(status: number, error: string) {
  return data({ ok: false as const, error }, status);
}

function refuseFile(error: string, status = 400) {
  return data({ ok: false as const, error: null, errors: { file: error } }, status);
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false as const, error: NO_CONNECTION }));
}

export default function ImportListings({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const refused = answer && !answer.ok ? answer : null;
  useFailureToast(refused, refused?.error);
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Import Listings"
        lead="List and update many products at once, from a spreadsheet."
        back={{ to: "/myshop", label: "My Shop" }}
      />
      <ImportView
        {...loaderData}
        error={refused?.error ?? null}
        fileErrors={refused && "errors" in refused ? refused.errors : null}
      />
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your imports" />;
}
