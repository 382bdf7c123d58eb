import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import type { Campus } from "#app/accounts/profile/campuses.server.ts";
import type { UniversityRow } from "./universities.server.ts";
import { CLIENT_ID_MAX, DOMAIN_MAX, ISSUER_URL_MAX } from "./university-rules.ts";
import { brand } from "#app/ui/page/brand.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow, AdminSearch, Facts } from "#app/team/components/page-parts.tsx";

type Row = UniversityRow & {
  /** The address to register at its issuer. */
  callback: string;
  secret: { name: string; isSet: boolean };
};

interface UniversitiesViewProps {
  rows: Row[];
  campuses: Campus[];
  search: string;
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/** The email domains of universities. A confirmed address there verifies a student. */
export function UniversitiesView({ rows, campuses, search, counts, answer }: UniversitiesViewProps) {
  return (
    <AdminPage
      title="Universities"
      lead="A student who confirms an email address at one of these domains, or below it, is verified at once."
      counts={counts}
    >
      <section className="card stack" aria-labelledby="add-university">
        <h2 id="add-university" className="admin__title">
          Add a university
        </h2>
        <AddingForm subject="new" intent="add" answer={answer} label="Add University" variant="solid">
          {(error, typed) => (
            <>
              <Field label="Name" error={error("name")}>
                <TextField
                  name="name"
                  defaultValue={typed("name")}
                  autoComplete="off"
                  maxLength={DOMAIN_MAX}
                  aria-required
                />
              </Field>
              <Field
                label="Email domain"
                hint="What stands after the @, such as uonbi.ac.ke. It includes students.uonbi.ac.ke."
                error={error("domain")}
              >
                <TextField
                  name="domain"
                  defaultValue={typed("domain")}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={DOMAIN_MAX}
                  aria-required
                />
              </Field>
            </>
          )}
        </AddingForm>
      </section>
      <AdminSearch search={search} label="Name or domain" />
      {rows.length === 0 ? (
        <EmptyState icon="search-x" title="No universities found" />
      ) : (
        <ul className="admin__rows" role="list">
          {rows.map((row) => (
            <AdminRow key={row.domain} head={<h2 className="admin__title">{row.name}</h2>}>
              <Facts facts={[["Email domain", row.domain], ...loginFacts(row, campuses)]} />
              {row.login ? (
                <LoginActions domain={row.domain} isOn={row.login.isOn} answer={answer} />
              ) : (
                <div className="admin__actions">
                  <AddLogin row={row} campuses={campuses} answer={answer} />
                  <AdminForm
                    subject={row.domain}
                    intent="remove"
                    answer={answer}
                    opener="Remove"
                    label="Remove University"
                    danger
                  >
                    {() => (
                      <p className="quiet">
                        Students with an address there are no longer verified, unless our team approved their student
                        ID.
                      </p>
                    )}
                  </AdminForm>
                </div>
              )}
            </AdminRow>
          ))}
        </ul>
      )}
    </AdminPage>
  );
}

function loginFacts({ login, callback, secret }: Row, campuses: Campus[]): [string, string][] {
  if (!login) return [];
  return [
    ["Login", login.isOn ? "on" : "off"],
    ["Issuer", login.issuer],
    ["Client id", login.clientId],
    ["Client secret", secret.isSet ? `set as ${secret.name}` : `none. Unless the client is public, set ${secret.name}`],
    ["Redirect address", callback],
    ["Campus", campuses.find(({ id }) => id === login.campusId)?.name ?? "any"],
  ];
}

function AddLogin({
  row,
  campuses,
  answer,
}: Pick<UniversitiesViewProps, "campuses" | "answer"> & {
  row: Row;
}) {
  return (
    <AdminForm subject={row.domain} intent="add-login" answer={answer} opener="Add its login" label="Add Login">
      {(error, typed) => (
        <>
          <p className="quiet">
            Students then log in with their account at {row.name}, and are verified at once. Ask its IT department to
            register {brand.name} as a client (OpenID Connect, code with PKCE) with the redirect address {row.callback}
          </p>
          <p className="quiet">If they give you a client secret, set it as the secret {row.secret.name}.</p>
          <Field label="Issuer" hint="Such as https://login.uonbi.ac.ke" error={error("issuer")}>
            <TextField
              name="issuer"
              type="url"
              inputMode="url"
              defaultValue={typed("issuer")}
              autoComplete="off"
              maxLength={ISSUER_URL_MAX}
              aria-required
            />
          </Field>
          <Field label="Client id" error={error("clientId")}>
            <TextField
              name="clientId"
              defaultValue={typed("clientId")}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={CLIENT_ID_MAX}
              aria-required
            />
          </Field>
          <Field label="Campus of its students" error={error("campus")}>
            <Select name="campus" defaultValue={typed("campus")}>
              <option value="">Any</option>
              <NamedOptions of={campuses.map(({ id, name }) => ({ id: String(id), name }))} />
            </Select>
          </Field>
        </>
      )}
    </AdminForm>
  );
}

function LoginActions({
  domain,
  isOn,
  answer,
}: Pick<UniversitiesViewProps, "answer"> & {
  domain: string;
  isOn: boolean;
}) {
  return (
    <div className="admin__actions">
      <AdminForm
        subject={domain}
        intent={isOn ? "turn-off" : "turn-on"}
        answer={answer}
        label={isOn ? "Turn Login Off" : "Turn Login On"}
      />
      <AdminForm
        subject={domain}
        intent="remove-login"
        answer={answer}
        opener="Remove login"
        label="Remove Login"
        danger
      >
        {() => (
          <p className="quiet">
            Its students log in with their email. Add it again to change the issuer, the client id or the campus.
          </p>
        )}
      </AdminForm>
    </div>
  );
}
