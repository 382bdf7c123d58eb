import { useState } from "react";
import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/import-listings.ts";
import { ImportView, type SentFile } from "#app/catalogue/import/components/import-view.tsx";
import { FILE_MAX } from "#app/catalogue/import/listing-columns.ts";
import { resultOf } from "#app/catalogue/import/file-result.ts";
import { importListings } from "#app/catalogue/import/import-listings.server.ts";
import { openImportPage } from "#app/catalogue/import/import-page.server.ts";
import {
  checkedVersions,
  type CheckedVersions,
  planListingFile,
} from "#app/catalogue/import/plan-listing-file.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { useFailureToast } from "#app/ui/feedback/use-result-toast.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * Bytes: a file's text, which browsers may write with other line breaks, what it was checked against, and the fields
 * around it.
 */
const MAX_FORM = FILE_MAX.jsonBytes + 256 * 1024;

/** What a file was checked against, as its page sends it back. */
const Checked = z.record(z.string(), z.string());

export function meta() {
  return pageMeta("Import Listings");
}

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  return { page: await openImportPage(context.get(servicesContext), viewer.id), needsPhone: !viewer.phone };
}

export async function action({ request, context }: Route.ActionArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const sent = await readForm(request, MAX_FORM);
  // Each form carries the file. What was checked before isn't what was sent now.
  if (!sent.ok) return sent.code === "too_large" ? refuseFile(TOO_LARGE, 413) : refuseFile(UNREADABLE);
  const { form } = sent;
  const intent = form.get("intent");
  if (!(await services.limits.write(viewer.id)))
    return intent === "check" ? refuseFile(TOO_MANY_REQUESTS, 429) : refuse(429, TOO_MANY_REQUESTS);
  const at = services.now();

  if (intent === "check") {
    const file = form.get("file");
    // A form without a chosen file sends one without a name.
    if (!(file instanceof File) || file.name === "") return refuseFile("Choose a CSV file first.");
    const bytes = new Uint8Array(await file.arrayBuffer());
    const plan = await planListingFile(services, { sellerId: viewer.id, bytes, checked: null });
    if (!plan.ok) return refuseFile(plan.error);
    const { text, rows } = plan;
    const checked = JSON.stringify(checkedVersions(rows));
    return { ok: true as const, file: { ...resultOf(file.name, rows), at, isImported: false as const, text, checked } };
  }
  if (intent === "import") {
    if (!viewer.phone) return refuse(400, "Add your M-Pesa number first.");
    const [text, checked] = [form.get("text"), readChecked(form.get("checked"))];
    if (typeof text !== "string" || checked === null) return refuse(400, UNREADABLE);
    const seller = { id: viewer.id, name: viewer.fullName, email: viewer.email, campusLocation: viewer.campusLocation };
    const bytes = new TextEncoder().encode(text);
    const imported = await importListings(services, openHeldCases, { seller, bytes, checked });
    if (!imported.ok) return refuse(409, imported.error);
    const file = resultOf(String(form.get("fileName")), imported.rows);
    return { ok: true as const, file: { ...file, at, isImported: true as const } };
  }
  return refuse(400, UNREADABLE);
}

/** Null for what isn't from our page. */
function readChecked(json: unknown): CheckedVersions | null {
  try {
    return Checked.parse(JSON.parse(String(json)));
  } catch {
    return null;
  }
}

const TOO_LARGE = "This file is larger than 1 MB. Please split it into smaller files.";
const UNREADABLE = "We couldn't read what was sent. Please try again.";
const NO_CONNECTION =
  "We couldn't reach Chuoni. Please check your connection and try again. Nothing is imported twice.";

function refuse(status: number, error: string) {
  return data({ ok: false as const, error }, status);
}

function refuseFile(error: string, status = 400) {
  return data({ ok: false as const, error: null, errors: { file: error } }, status);
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const isCheck = (await request.clone().formData()).get("intent") === "check";
  return passOn(serverAction, () =>
    // Another file was chosen, so what was checked before goes.
    isCheck
      ? { ok: false as const, error: null, errors: { file: NO_CONNECTION } }
      : { ok: false as const, error: NO_CONNECTION },
  );
}

export default function ImportListings({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const refused = answer && !answer.ok ? answer : null;
  const fileErrors = refused && "errors" in refused ? refused.errors : null;
  // A file that was checked stays when its import is refused, or gets no answer.
  const [shown, setShown] = useState<SentFile | null>(null);
  const file = answer?.ok ? answer.file : refused && !fileErrors ? shown : null;
  if (file !== shown) setShown(file);
  useFailureToast(refused, refused?.error);
  return (
    <div className="page page--reading stack">
      <PageHeader
        title="Import Listings"
        lead="List and update many products at once, from a spreadsheet."
        back={{ to: "/myshop", label: "My Shop" }}
      />
      <ImportView {...loaderData} file={file} error={refused?.error ?? null} fileErrors={fileErrors} />
    </div>
  );
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your imports" />;
}
