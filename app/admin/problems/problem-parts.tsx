import { type ReactNode, useContext } from "react";
import { Link } from "react-router";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { Person } from "./issues.server.ts";
import type { ProblemPerson } from "./problems.server.ts";
import { mayDo, mayOpen } from "#app/team/role-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { AdminContext } from "#app/team/components/admin-context.ts";
import { Part, personFacts } from "#app/moderation/cases/case-parts.tsx";
import { Facts } from "#app/team/components/page-parts.tsx";
import { Suspension } from "#app/moderation/suspensions/suspension.tsx";

export function ReportBadge({ isOpen }: { isOpen: boolean }) {
  return <StatusBadge tone={isOpen ? "orange" : "green"}>{isOpen ? "Open report" : "Closed report"}</StatusBadge>;
}

interface PersonPartProps {
  side: "Buyer" | "Seller";
  person: Person & Partial<ProblemPerson>;
  /** Whose number it is, and the number, masked. */
  phone?: [label: string, number: ReactNode];
  answer: AdminFormAnswer | null;
}

/** One side of an order with a problem. Whoever may suspend accounts does it here. */
export function PersonPart({ side, person, phone, answer }: PersonPartProps) {
  const { role } = useContext(AdminContext);
  const state = person.deletedAt ? "Deleted" : person.suspendedAt ? "Suspended" : null;
  return (
    <Part title={`${side}: ${person.fullName || person.email}`}>
      {state && (
        <div>
          <StatusBadge tone="red">{state}</StatusBadge>
        </div>
      )}
      <Facts
        facts={[
          ...personFacts(person),
          ...(phone ? [phone] : []),
          ["Completed sales", person.salesCompleted],
          ["Problems with sales", person.problemsAsSeller],
          ["Problems they reported", person.problemsAsBuyer],
          ["Suspended", !person.deletedAt && person.suspendedAt && formatDateTime(person.suspendedAt)],
        ]}
      />
      {mayOpen(role, "/admin/people") && (
        <Link className="text-link small" to={`/admin/people?q=${encodeURIComponent(person.email)}`}>
          View this account
        </Link>
      )}
      {!person.deletedAt && !person.adminRole && mayDo(role, "user_suspended") && (
        <Suspension subject={person.id} what="user" suspended={person.suspendedAt !== null} answer={answer} />
      )}
    </Part>
  );
}
