import { Link } from "react-router";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { reasonsOf, titleOf } from "./case-summary.ts";
import { caseStatus, SUBJECT_LABELS } from "./case-texts.ts";
import type { CaseFilter, CaseSummary } from "./list-cases.server.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { Badge } from "#app/ui/label-badge.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminPage, AdminRow, Facts, FilterLinks, Pager } from "#app/team/components/page-parts.tsx";

interface ModerationViewProps {
  rows: CaseSummary[];
  next: string | null;
  begun: boolean;
  filter: CaseFilter;
  counts: AdminCounts;
}

/** The queue of reported and held things, and the cases that are done. */
export function ModerationView({ rows, next, begun, filter, counts }: ModerationViewProps) {
  return (
    <AdminPage
      title="Moderation"
      lead="What people reported, and listings that we held. The most harmful come first."
      counts={counts}
    >
      <FilterLinks
        label="Cases"
        name="show"
        current={filter}
        choices={[
          { value: "queue", label: "To decide", count: counts.moderation },
          { value: "done", label: "Decided" },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon="circle-check"
          title={filter === "queue" ? "Nothing to decide" : "No decided cases"}
          sentence={filter === "queue" ? "New reports, held listings and appeals appear here." : undefined}
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <CaseRow key={row.id} row={row} isDone={filter === "done"} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function CaseRow({ row, isDone }: { row: CaseSummary; isDone: boolean }) {
  const status = caseStatus(row);
  return (
    <AdminRow
      head={
        <>
          <Link className="admin__quote admin__link" to={`/admin/moderation/${row.id}`}>
            {titleOf(row)}
          </Link>
          <Badge>{SUBJECT_LABELS[row.subject]}</Badge>
          {row.heldFor !== null && <Badge tone="blue">Held</Badge>}
          <StatusBadge tone={status.tone}>{status.label}</StatusBadge>
        </>
      }
    >
      <Facts
        facts={[
          ["Why", reasonsOf(row)],
          ["Reports", row.reports > 0 && String(row.reports)],
          ["About", row.subject !== "person" && row.reported],
          ["Earlier cases upheld", row.upheld > 0 && String(row.upheld)],
          [isDone ? "Last changed" : "Since", formatDateTime(row.createdAt)],
        ]}
      />
    </AdminRow>
  );
}
