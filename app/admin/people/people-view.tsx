import { Link } from "react-router";
import { levelTitle } from "#app/accounts/trust/verified-rules.ts";
import { ROLE_NAMES } from "#app/team/role-rules.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { PersonRow } from "./people.server.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDate, formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Badge } from "#app/ui/label-badge.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts, Pager } from "#app/team/components/page-parts.tsx";
import { Suspension } from "#app/moderation/suspensions/suspension.tsx";

interface PeopleViewProps {
  rows: PersonRow[];
  next: string | null;
  begun: boolean;
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/** Finds people, to suspend or restore their accounts. */
export function PeopleView({ rows, next, begun, search, counts, answer }: PeopleViewProps) {
  return (
    <AdminPage title="People" lead="Find people, and suspend or restore their accounts." counts={counts}>
      <AdminSearch search={search} label="Email, name or phone number" />
      <h2 className="admin__title">{search === "" ? "Suspended accounts" : `Results for “${search}”`}</h2>
      {rows.length === 0 ? (
        <EmptyState
          icon={search ? "search-x" : "circle-check"}
          title={search ? "No people found" : "No suspended accounts"}
          sentence={
            search
              ? "Enter the start of an email address, parts of a name in any order, or a full phone number."
              : undefined
          }
        />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <PersonItem key={row.id} row={row} answer={answer} />
          ))}
        </ul>
      )}
      <Pager next={next} begun={begun} />
    </AdminPage>
  );
}

function PersonItem({ row, answer }: { row: PersonRow; answer: AdminFormAnswer | null }) {
  const suspended = row.suspendedAt !== null;
  return (
    <AdminRow
      head={
        <>
          <h3 className="admin__title">{row.fullName || row.email}</h3>
          {row.adminRole && <Badge>Admin: {ROLE_NAMES[row.adminRole].toLowerCase()}</Badge>}
          <StatusBadge tone={suspended ? "red" : "green"}>{suspended ? "Suspended" : "Active"}</StatusBadge>
        </>
      }
    >
      <Facts
        facts={[
          ["Email", <EmailAddress key="email" address={row.email} />],
          ["Phone", row.phone],
          ["Campus", row.campusLocation],
          ["Account", row.accountType === "wholesaler" ? "Wholesaler" : row.isSeller ? "Seller" : "Student"],
          ["Verification", row.verifiedLevel && levelTitle(row.verifiedLevel)],
          [
            "Listings",
            row.isSeller &&
              (suspended ? (
                row.listings
              ) : (
                <Link className="text-link" to={`/seller/${row.id}`}>
                  {row.listings} (view shop)
                </Link>
              )),
          ],
          ["Member since", formatDate(row.createdAt)],
          [
            "Suspended",
            row.suspendedAt && `${formatDateTime(row.suspendedAt)}${row.suspendedBy ? ` by ${row.suspendedBy}` : ""}`,
          ],
          ["Reason", row.suspensionReason],
        ]}
      />
      {!row.adminRole && <Suspension subject={row.id} what="user" suspended={suspended} answer={answer} />}
    </AdminRow>
  );
}
