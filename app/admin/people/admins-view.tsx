import type { AdminRow as AdminPerson } from "./admins.server.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { ROLE_NAMES } from "#app/team/role-rules.ts";
import { MAX_LENGTHS } from "#app/accounts/login/account-rules.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm, type FieldText } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, Facts } from "#app/team/components/page-parts.tsx";

interface AdminsViewProps {
  rows: AdminPerson[];
  viewerId: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/** The people of our team, and what each may do. */
export function AdminsView({ rows, viewerId, counts, answer }: AdminsViewProps) {
  return (
    <AdminPage
      title="Admins"
      lead="Support answers people. Finance moves money. Owners do everything, and choose the admins."
      counts={counts}
    >
      <section className="card stack" aria-labelledby="give-role">
        <h2 id="give-role" className="admin__title">
          Add an admin
        </h2>
        <p className="quiet">
          They need an account with a confirmed email. We email them and the other owners. For 7 days, another admin
          confirms whatever they do with money.
        </p>
        <AddingForm subject="new" intent="give" answer={answer} label="Add Admin" variant="solid">
          {(error, typed) => (
            <>
              <EmailField error={error} typed={typed} />
              <RoleField error={error} chosen={typed("role")} />
            </>
          )}
        </AddingForm>
      </section>
      <ul className="admin__rows" role="list">
        {rows.map((row) => (
          <Person key={row.id} row={row} isOwn={row.id === viewerId} answer={answer} />
        ))}
      </ul>
      <section className="card stack" aria-labelledby="reset">
        <h2 id="reset" className="admin__title">
          Somebody lost their second step
        </h2>
        <p className="quiet">
          For anybody with an account. Call them first on a number that you know: whoever has their password gets in
          afterwards. For 7 days, another admin confirms whatever an admin does with money whose second step you turned
          off.
        </p>
        <AdminForm
          subject="reset"
          intent="reset"
          answer={answer}
          opener="Turn off two-step login"
          label="Turn Off Two-Step Login"
          danger
        >
          {(error, typed) => <EmailField error={error} typed={typed} />}
        </AdminForm>
      </section>
    </AdminPage>
  );
}

function Person({ row, isOwn, answer }: { row: AdminPerson; isOwn: boolean; answer: AdminFormAnswer | null }) {
  return (
    <AdminRow
      head={
        <>
          <h2 className="admin__title">
            {row.name || row.email}
            {isOwn && " (you)"}
          </h2>
          <StatusBadge tone={row.role === "owner" ? "green" : "gray"}>{ROLE_NAMES[row.role]}</StatusBadge>
        </>
      }
    >
      <Facts
        facts={[
          ["Email", <EmailAddress key="email" address={row.email} />],
          ["Two-step login", row.secondStep ? "On" : "Not set up yet"],
          ["New until", row.newUntil && formatDateTime(row.newUntil)],
        ]}
      />
      {row.staysOwner && !isOwn ? (
        <p className="quiet small">
          Owners step down by themselves. If they can't, the operator takes the role away by a command.
        </p>
      ) : (
        <div className="admin__actions">
          <AdminForm
            subject={row.id}
            intent="change"
            values={{ was: row.role }}
            answer={answer}
            opener="Change role"
            label="Change Role"
          >
            {(error) => <RoleField error={error} chosen={row.role} />}
          </AdminForm>
          <AdminForm
            subject={row.id}
            intent="take"
            values={{ was: row.role }}
            answer={answer}
            opener="Take the role away"
            label="Take Role Away"
            danger
          >
            {() => <p className="quiet">It counts at once. {isOwn ? "Your" : "Their"} own account stays as it is.</p>}
          </AdminForm>
        </div>
      )}
    </AdminRow>
  );
}

function EmailField({ error, typed }: { error: FieldText; typed: FieldText }) {
  return (
    <Field label="Email" error={error("email")}>
      <TextField
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        defaultValue={typed("email")}
        maxLength={MAX_LENGTHS.email}
        aria-required
      />
    </Field>
  );
}

function RoleField({ error, chosen }: { error: FieldText; chosen: string | undefined }) {
  return (
    <Field label="Role" error={error("role")}>
      <Select name="role" defaultValue={chosen ?? "support"}>
        {ADMIN_ROLES.map((role) => (
          <option key={role} value={role}>
            {ROLE_NAMES[role]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
