import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { Verification, VerificationFilter } from "./verifications.server.ts";
import { sizeInMb } from "#app/platform/upload-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminForm, WordsForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, Facts, FilterLinks, Pager } from "#app/team/components/page-parts.tsx";

interface VerificationsViewProps {
  rows: Verification[];
  next: string | null;
  begun: boolean;
  filter: VerificationFilter;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

const STATUSES = {
  pending: { label: "Pending", tone: "orange" },
  approved: { label: "Approved", tone: "green" },
  rejected: { label: "Rejected", tone: "red" },
} as const;

const EMPTY = {
  pending: { title: "No documents to review", sentence: "New documents appear here as soon as they're uploaded." },
  approved: { title: "No approved documents", sentence: undefined },
  rejected: { title: "No rejected documents", sentence: undefined },
} as const;

const DOCUMENTS = { student_id: "Student ID", business_license: "Business document" } as const;

/** Verification documents, next to what their owners entered, with buttons to approve or reject each. */
export function VerificationsView({ rows, next, begun, filter, counts, answer }: VerificationsViewProps) {
  return (
    <AdminPage title="Verifications" lead="Only admins and the owner can open a document." counts={counts}>
      <FilterLinks
        label="Documents"
        name="show"
        current={filter}
        choices={[
          { value: "pending", label: "Pending", count: counts.verifications },
          { value: "approved", label: "Approved" },
          { value: "rejected", label: "Rejected" },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState icon="badge-check" {...EMPTY[filter]} />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <VerificationRow key={row.id} row={row} answer={answer} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function VerificationRow({ row, answer }: { row: Verification; answer: AdminFormAnswer | null }) {
  const { label, tone } = STATUSES[row.status];
  return (
    <AdminRow
      head={
        <>
          <h2 className="admin__title">{row.businessName ?? (row.fullName || row.email)}</h2>
          <StatusBadge tone={tone}>{label}</StatusBadge>
        </>
      }
    >
      <div className="admin__beside">
        <DocumentPreview row={row} />
        <div className="stack">
          <Facts
            facts={[
              ["Name", row.fullName],
              ["Email", <EmailAddress key="email" address={row.email} />],
              ["Account", row.accountType === "wholesaler" ? "Wholesaler" : "Student"],
              ["Campus", row.campusLocation],
              ["Member since", formatDate(row.memberSince)],
              ["Uploaded", formatDateTime(row.createdAt)],
              ["License number", row.businessLicenseNumber],
              ["Tax ID", row.taxId],
              ["Address", row.businessAddress],
              ["Business phone", row.businessPhone],
              ["Business email", row.businessEmail],
              ["Website", row.businessWebsite],
              ["Description", row.businessDescription],
              [
                "Decided",
                row.reviewedAt && `${formatDateTime(row.reviewedAt)}${row.reviewer ? ` by ${row.reviewer}` : ""}`,
              ],
              ["Reason", row.reason],
            ]}
          />
          {row.status === "pending" && <Decision row={row} answer={answer} />}
        </div>
      </div>
    </AdminRow>
  );
}

function DocumentPreview({ row }: { row: Verification }) {
  const path = `/documents/${row.id}`;
  if (row.fileDeletedAt !== null)
    return (
      <div className="admin__document">
        <p className="quiet small">
          {DOCUMENTS[row.documentType]}, deleted on {formatDate(row.fileDeletedAt)}
        </p>
      </div>
    );
  return (
    <div className="admin__document">
      {row.contentType.startsWith("image/") && (
        <img
          className="admin__picture"
          src={path}
          alt={`${DOCUMENTS[row.documentType]} of ${row.fullName || row.email}`}
          loading="lazy"
          decoding="async"
        />
      )}
      <a className="admin__page text-link" href={path} download>
        <Icon name="file-text" size="small" />
        {row.fileName}
      </a>
      <p className="quiet small numbers">
        {DOCUMENTS[row.documentType]} · {sizeInMb(row.sizeBytes)}
      </p>
    </div>
  );
}

function Decision({ row, answer }: { row: Verification; answer: AdminFormAnswer | null }) {
  return (
    <div className="admin__actions">
      <AdminForm subject={row.id} intent="approve" answer={answer} label="Approve" values={{ seen: row.fullName }} />
      <WordsForm
        opener="Reject"
        subject={row.id}
        intent="reject"
        field="reason"
        title="Reason"
        hint="We'll email this to them and show it in their settings."
        label="Reject"
        danger
        answer={answer}
      />
    </div>
  );
}
