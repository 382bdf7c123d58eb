import "./campus-month.css";
import { Form } from "react-router";
import { Paper, PaperActions } from "#app/payments/components/paper.tsx";
import { AdminPage } from "#app/team/components/page-parts.tsx";
import { monthTitle } from "#app/ui/dates.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { NamedOptions, Select } from "#app/ui/forms/form-fields.tsx";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { FEWEST, monthSections } from "./campus-month-rules.ts";
import type { CampusMonthPage } from "./campus-month.server.ts";

interface CampusMonthViewProps extends CampusMonthPage {
  /** The latest months, as YYYY-MM. */
  months: readonly string[];
  /** This month isn't over. */
  isRunning: boolean;
}

/** A campus's month as a sheet for its dean, to read, to print and as a file. */
export function CampusMonthView({ campus, campuses, month, months, isRunning, figures, counts }: CampusMonthViewProps) {
  const address = new URLSearchParams({ campus: String(campus.id), month }).toString();
  return (
    <AdminPage
      title="A campus's month"
      lead={`For its university. Nobody is named, and small numbers read “fewer than ${FEWEST}”.`}
      back={{ to: "/admin", label: "Today" }}
      counts={counts}
    >
      <Form className="row campus-month__choice" key={address}>
        <Field label="Campus">
          <Select name="campus" defaultValue={campus.id}>
            <NamedOptions of={campuses.map(({ id, name }) => ({ id: String(id), name }))} />
          </Select>
        </Field>
        <Field label="Month">
          <Select name="month" defaultValue={month}>
            <NamedOptions of={months.map((id) => ({ id, name: monthTitle(id) }))} />
          </Select>
        </Field>
        <Button type="submit" variant="soft">
          Show
        </Button>
      </Form>
      <Paper kind="Figures" title={campus.name} line={`${monthTitle(month)}${isRunning ? ", so far" : ""}`}>
        {monthSections(figures).map(({ title, note, rows }, part) => (
          <section key={title} className="stack stack--tight" aria-labelledby={`part-${part}`}>
            <h3 id={`part-${part}`}>{title}</h3>
            {note && <p className="small quiet">{note}</p>}
            <SummaryRows rows={rows.map(([label, value]) => ({ label, value }))} />
          </section>
        ))}
      </Paper>
      <PaperActions csv={`/admin/campus-month.csv?${address}`} />
    </AdminPage>
  );
}
