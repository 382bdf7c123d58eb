import { seenSemester } from "#app/accounts/profile/semester.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { CAMPUS_NAME_MAX, POINT_NAME_MAX, seenPoint } from "./meeting-point-rules.ts";
import type { CampusRow, PointRow } from "./campuses.server.ts";
import type { AdminFormAnswer } from "#app/team/form-answer.ts";
import { Guarded } from "#app/meetings/components/guarded.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { clockTime, hoursText } from "#app/meetings/meeting-rules.ts";
import { Checkbox } from "#app/ui/forms/choice.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { AddingForm } from "#app/team/components/adding-form.tsx";
import { AdminForm, type FieldText } from "#app/team/components/admin-form.tsx";
import { AdminPage, AdminRow } from "#app/team/components/page-parts.tsx";

interface CampusesViewProps {
  campuses: CampusRow[];
  counts: AdminCounts;
  answer: AdminFormAnswer | null;
}

/**
 * The campuses, and the meeting points of each. Buyers and sellers choose from them when they suggest a place to meet.
 */
export function CampusesView({ campuses, counts, answer }: CampusesViewProps) {
  return (
    <AdminPage
      title="Campuses"
      lead="Campuses that people choose and filter by, and public places there where buyers and sellers can meet. Choose busy, well-lit places."
      counts={counts}
    >
      <section className="card stack" aria-labelledby="add-campus">
        <h2 id="add-campus" className="admin__title">
          Add a campus
        </h2>
        <AddingForm subject="new" intent="add-campus" answer={answer} label="Add Campus" variant="solid">
          {(error, typed) => (
            <Field label="Name" hint="As students call it, such as Main Campus." error={error("name")}>
              <TextField
                name="name"
                defaultValue={typed("name")}
                autoComplete="off"
                maxLength={CAMPUS_NAME_MAX}
                aria-required
              />
            </Field>
          )}
        </AddingForm>
      </section>
      {campuses.map((campus) => (
        <section key={campus.id} className="stack" aria-labelledby={`campus-${campus.id}`}>
          <h2 id={`campus-${campus.id}`}>{campus.name}</h2>
          {campus.points.length === 0 && <p className="quiet">No meeting points yet.</p>}
          {campus.isUnused && (
            <AdminForm
              subject={campus.id}
              intent="remove-campus"
              answer={answer}
              opener={`Remove ${campus.name}`}
              label="Remove Campus"
              danger
            >
              {() => <p className="quiet">Nobody studies or sells there.</p>}
            </AdminForm>
          )}
          <SemesterForm campus={campus} answer={answer} />
          <PointsOnlyForm campus={campus} answer={answer} />
          <ul className="admin__rows" role="list">
            {campus.points.map((point) => (
              <PointItem key={point.id} point={point} answer={answer} />
            ))}
          </ul>
          <AdminForm
            subject={campus.id}
            intent="add-point"
            answer={answer}
            opener={`Add a meeting point to ${campus.name}`}
            label="Add Meeting Point"
          >
            {(error, typed) => <PointFields name={`add-${campus.id}`} error={error} typed={typed} />}
          </AdminForm>
        </section>
      ))}
    </AdminPage>
  );
}

function SemesterForm({ campus, answer }: { campus: CampusRow; answer: AdminFormAnswer | null }) {
  const { closesOn, opensOn } = campus.semester;
  const seen = seenSemester(campus.semester);
  return (
    <AdminForm
      key={seen}
      subject={campus.id}
      intent="set-semester"
      answer={answer}
      values={{ seen }}
      opener={closesOn === "" ? "Set the semester's days" : `Semester ends ${closesOn}, next begins ${opensOn}`}
      label="Save"
    >
      {(error, typed) => (
        <>
          <p className="quiet">
            Before it ends, people here are asked to sell what they leave behind, and sellers can go on holiday until
            the next one begins. Leave both empty for none.
          </p>
          <Field label="Last day of the semester" error={error("closesOn")}>
            <TextField name="closesOn" type="date" defaultValue={typed("closesOn") ?? closesOn} />
          </Field>
          <Field label="First day of the next" error={error("opensOn")}>
            <TextField name="opensOn" type="date" defaultValue={typed("opensOn") ?? opensOn} />
          </Field>
        </>
      )}
    </AdminForm>
  );
}

/** Where sellers hand over. After a change it is another form. */
function PointsOnlyForm({ campus, answer }: { campus: CampusRow; answer: AdminFormAnswer | null }) {
  const since = campus.pointsOnlySince;
  return (
    <AdminForm
      key={since}
      subject={campus.id}
      intent={since === null ? "set-points-only" : "end-points-only"}
      answer={answer}
      opener={
        since === null
          ? "Ask to meet only at meeting points"
          : `Handed over only at meeting points since ${formatDate(since)}`
      }
      label={since === null ? "Ask Sellers Here" : "Let Sellers Choose Again"}
    >
      {() => (
        <p className="quiet">
          Sellers of this campus hand things over at a meeting point, such as the gate, and deliver nothing. Buyers read
          why. What was ordered before stays as it was.
        </p>
      )}
    </AdminForm>
  );
}

function PointItem({ point, answer }: { point: PointRow; answer: AdminFormAnswer | null }) {
  const seen = seenPoint(point);
  return (
    <AdminRow
      head={
        <>
          <h3 className="admin__title">
            {point.name} {point.isGuarded && <Guarded />}
          </h3>
          <span className="quiet small numbers">
            {point.isHidden ? "Hidden, " : ""}
            {hoursText(point)}
          </span>
        </>
      }
    >
      <div className="admin__actions">
        {/* After a change, the form starts with what is saved. */}
        <AdminForm
          key={seen}
          subject={point.id}
          intent="edit-point"
          answer={answer}
          values={{ seen }}
          opener="Edit"
          label="Save"
        >
          {(error, typed) => <PointFields name={point.id} point={point} error={error} typed={typed} />}
        </AdminForm>
        <AdminForm
          subject={point.id}
          intent={point.isHidden ? "show-point" : "hide-point"}
          answer={answer}
          label={point.isHidden ? "Show Again" : "Hide"}
        />
      </div>
    </AdminRow>
  );
}

interface PointFieldsProps {
  /** Makes the ids of the fields unique. */
  name: string;
  point?: PointRow;
  error: FieldText;
  typed: FieldText;
}

function PointFields({ name, point, error, typed }: PointFieldsProps) {
  // A box that isn't checked isn't sent.
  const isTicked = (box: "weekdaysOnly" | "isGuarded") =>
    typed("name") === undefined ? point?.[box] : typed(box) !== undefined;
  return (
    <>
      <Field label="Name" error={error("name")}>
        <TextField
          name="name"
          defaultValue={typed("name") ?? point?.name}
          placeholder="Main library, front steps"
          maxLength={POINT_NAME_MAX}
          autoComplete="off"
        />
      </Field>
      <div className="admin__hours">
        <Field label="Opens" error={error("opensAt")}>
          <TextField
            name="opensAt"
            type="time"
            defaultValue={typed("opensAt") ?? clockTime(point?.opensAt ?? 8 * 60)}
          />
        </Field>
        <Field label="Closes" error={error("closesAt")}>
          <TextField
            name="closesAt"
            type="time"
            defaultValue={typed("closesAt") ?? clockTime(point?.closesAt ?? 18 * 60)}
          />
        </Field>
      </div>
      <Checkbox id={`weekdays-${name}`} name="weekdaysOnly" defaultChecked={isTicked("weekdaysOnly")}>
        Only Monday to Friday
      </Checkbox>
      <Checkbox id={`guarded-${name}`} name="isGuarded" defaultChecked={isTicked("isGuarded")}>
        Guarded: a guard or a camera is there
      </Checkbox>
    </>
  );
}
