import { Link } from "react-router";
import type { AdminCounts } from "#app/admin/admin-pages.server.ts";
import type { IssueSummary } from "#app/admin/issues.server.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminPage, AdminRow, Facts, FilterLinks, Pager } from "./page-parts.tsx";

interface IssuesViewProps {
  rows: IssueSummary[];
  next: string | null;
  begun: boolean;
  filter: IssueSummary["status"];
  counts: AdminCounts;
}

/** The list of issue reports. */
export function IssuesView({ rows, next, begun, filter, counts }: IssuesViewProps) {
  return (
    <AdminPage title="Issues" lead="What buyers have reported about their orders." counts={counts}>
      <FilterLinks
        label="Reports"
        name="show"
        current={filter}
        choices={[
          { value: "open", label: "Open", count: counts.issues },
          { value: "closed", label: "Closed" },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon="circle-check"
          title={filter === "open" ? "No open issue reports" : "No closed issue reports"}
          sentence={filter === "open" ? "New issue reports from buyers appear here." : undefined}
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <IssueRow key={row.id} row={row} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function IssueRow({ row }: { row: IssueSummary }) {
  return (
    <AdminRow
      head={
        <>
          <Link className="admin__quote admin__link" to={`/admin/issues/${row.id}`}>
            {row.text.length > 160 ? `${row.text.slice(0, 160)}…` : row.text}
          </Link>
          <StatusBadge tone={row.status === "open" ? "orange" : "green"}>
            {row.status === "open" ? "Open" : "Closed"}
          </StatusBadge>
        </>
      }
    >
      <Facts
        facts={[
          ["Reported by", row.reporter],
          ["About", row.reported],
          ["Order", row.orderId?.slice(0, 8)],
          ["When", formatDateTime(row.createdAt)],
          ["Outcome", row.outcome],
        ]}
      />
    </AdminRow>
  );
}
