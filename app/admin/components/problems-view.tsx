import { Link } from "react-router";
import type { AdminCounts } from "#app/admin/admin-pages.server.ts";
import { reviewReason } from "#app/admin/decision-texts.ts";
import type { ProblemFilter, ProblemSummary } from "#app/admin/problems.server.ts";
import { PROBLEM_NAMES } from "#app/deals/problem-rules.ts";
import { ItemBadge } from "#app/orders/components/status-badges.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminPage, AdminRow, Facts, FilterLinks, Pager } from "./page-parts.tsx";

interface ProblemsViewProps {
  rows: ProblemSummary[];
  next: string | null;
  begun: boolean;
  filter: ProblemFilter;
  counts: AdminCounts;
}

/** The list of sales that need our decision, and of problems that the two sides are still settling. */
export function ProblemsView({ rows, next, begun, filter, counts }: ProblemsViewProps) {
  const isReview = filter === "review";
  return (
    <AdminPage title="Problems" lead="Sales whose money is held until we decide, oldest first." counts={counts}>
      <FilterLinks
        label="Problems"
        name="show"
        current={filter}
        choices={[
          { value: "review", label: "To decide", count: counts.problems },
          { value: "open", label: "Between the two sides" },
        ]}
      />
      {rows.length === 0 ? (
        <EmptyState
          icon="circle-check"
          title={isReview ? "Nothing to decide" : "No open problems"}
          sentence={
            isReview
              ? "Problems come here when the two sides don't agree, or when nobody answers."
              : "Problems that buyers and sellers are still settling appear here."
          }
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <AdminRow
              key={row.id}
              head={
                <>
                  <Link className="admin__link" to={`/admin/problems/${row.id}`}>
                    {row.productName}
                  </Link>
                  <ItemBadge status={row.status} />
                </>
              }
            >
              <Facts
                facts={[
                  ["Why", isReview && reviewReason(row.lastEvent)],
                  ["Problem", row.kind && PROBLEM_NAMES[row.kind]],
                  ["Money", formatKes(row.subtotal)],
                  ["Offered", row.offeredRefund !== null && formatKes(row.offeredRefund)],
                  ["Buyer", row.buyer],
                  ["Seller", row.seller],
                  ["Since", formatDateTime(row.createdAt)],
                ]}
              />
            </AdminRow>
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}
