import { Form, useNavigation } from "react-router";
import type { AccessCode, CodeFilter } from "./codes.server.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { CODE_TEXTS, CODES_MAX, codesAsCsv } from "./code-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { Button, buttonClass } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/sharing/copy-button.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { AdminPage, FilterLinks, Pager } from "#app/team/components/page-parts.tsx";

/** The result of "Generate Codes". `errors`: what is wrong with the `typed` number. */
export type CodesAnswer = ActionResult & { codes: string[]; errors?: { count: string }; typed?: string };

interface CodesViewProps {
  rows: AccessCode[];
  next: string | null;
  begun: boolean;
  filter: CodeFilter;
  counts: AdminCounts;
  /** The key of this form. Sent twice, the form makes its codes once. */
  formKey: string;
  answer: CodesAnswer | null;
}

const FILTERS = [
  { value: "all", label: "All" },
  { value: "available", label: "Available" },
  { value: "used", label: "Used" },
] as const;

/** The page of wholesaler access codes. */
export function CodesView({ rows, next, begun, filter, counts, formKey, answer }: CodesViewProps) {
  useResultToast(answer?.errors ? null : answer);
  return (
    <AdminPage title="Wholesaler Access Codes" lead="Each code lets one wholesaler sign up." counts={counts}>
      <GenerateForm formKey={formKey} answer={answer} />
      {answer && answer.codes.length > 0 && <NewCodes codes={answer.codes} message={answer.message} />}
      <FilterLinks label="Codes" name="show" choices={FILTERS} current={filter} />
      {rows.length === 0 ? <EmptyState icon="file-text" title={CODE_TEXTS.empty} /> : <CodesTable codes={rows} />}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function GenerateForm({ formKey, answer }: Pick<CodesViewProps, "formKey" | "answer">) {
  const { formMethod } = useNavigation();
  const busy = formMethod === "POST";
  const errors = useFieldErrors(answer?.errors);
  return (
    <Form method="post" className="admin__generate" noValidate preventScrollReset {...errors.form}>
      <FormKey value={formKey} done={answer?.ok ? answer : null} />
      <Field label="Number of codes" hint={`1 to ${CODES_MAX}`} error={errors.of("count")}>
        <TextField
          name="count"
          type="number"
          inputMode="numeric"
          min={1}
          max={CODES_MAX}
          step={1}
          defaultValue={answer?.typed ?? 1}
        />
      </Field>
      <Button type="submit" busy={busy}>
        {busy ? "Generating..." : "Generate Codes"}
      </Button>
    </Form>
  );
}

function NewCodes({ codes, message }: { codes: string[]; message: string }) {
  return (
    <section className="card stack" aria-label="New codes">
      <h2 className="admin__title">{message}</h2>
      <ul className="admin__codes" role="list">
        {codes.map((code) => (
          <li key={code}>
            <code className="admin__code">{code}</code>
          </li>
        ))}
      </ul>
      <div className="row">
        <CopyButton text={codes.join("\n")} what="the codes" />
        <a
          className={buttonClass({ variant: "soft" })}
          download="wholesaler-codes.csv"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(codesAsCsv(codes))}`}
        >
          Download CSV
        </a>
      </div>
    </section>
  );
}

function CodesTable({ codes }: { codes: AccessCode[] }) {
  return (
    <table className="admin__table">
      <thead>
        <tr>
          {["Code", "Status", "Created At", "Used At", "Used By"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <td data-label="Code">
              <code className="admin__code">{code.code}</code>
            </td>
            <td data-label="Status">
              <StatusBadge tone={code.isUsed ? "gray" : "green"}>{code.isUsed ? "Used" : "Available"}</StatusBadge>
            </td>
            <td data-label="Created At">{formatDateTime(code.createdAt)}</td>
            <td data-label="Used At">{code.usedAt ? formatDateTime(code.usedAt) : "-"}</td>
            <td data-label="Used By">{code.usedBy ? <EmailAddress address={code.usedBy} /> : "-"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
