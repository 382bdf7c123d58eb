import { ageText } from "#app/team/age-rules.ts";
import { useContext } from "react";
import { Link } from "react-router";
import { type CampusFigures, campusRow, FIGURE_DAYS, comparedRows } from "./overview-rules.ts";
import type { Overview } from "./overview.server.ts";
import { mayOpen } from "#app/team/role-rules.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { StatusBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { DayChart } from "#app/ui/charts/day-chart.tsx";
import { formatKes } from "#app/ui/money.ts";
import { AdminContext } from "#app/team/components/admin-context.ts";
import { dayStart } from "#app/platform/east-africa-time.ts";
import { formatDate } from "#app/ui/dates.ts";
import { AdminPage, FilterLinks, More } from "#app/team/components/page-parts.tsx";

/** What needs a person, the most urgent first, and below it what happened on the market. */
export function OverviewView({ counts, desks, figures, before, volumes, campuses, days, now }: Overview) {
  const { role } = useContext(AdminContext);
  const own = desks.filter(({ page }) => mayOpen(role, page));
  return (
    <AdminPage title="Today" lead="What waits for our team, the most urgent first." counts={counts}>
      {own.length === 0 ? (
        <EmptyState icon="circle-check" title="Nothing waits for you" sentence="What needs a person appears here." />
      ) : (
        <ul className="admin__desks stack" role="list">
          {own.map(({ to, text, since, isLate }) => (
            <li key={to} className="row row--apart">
              <Link className="admin__link" to={to}>
                {text}
              </Link>
              <StatusBadge tone={isLate ? "red" : "orange"}>
                {`${isLate ? "Late: the" : "The"} oldest waits ${ageText(now - since)}`}
              </StatusBadge>
            </li>
          ))}
        </ul>
      )}
      <section className="stack" aria-labelledby="figures">
        <h2 id="figures">The market in figures</h2>
        <FilterLinks
          label="Days"
          name="days"
          current={String(days)}
          choices={FIGURE_DAYS.map((choice) => ({ value: String(choice), label: `${choice} days` }))}
        />
        <DayChart
          title="Volume by day, KES"
          days={volumes}
          label={`Volume by day: ${formatKes(volumes.reduce((sum, { value }) => sum + value, 0))} in ${days} days`}
          write={formatKes}
        />
        <More label="Show each day as a table">
          <table className="admin__table admin__table--figures">
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Volume</th>
                <th scope="col">{`${days} days before`}</th>
              </tr>
            </thead>
            <tbody>
              {volumes.toReversed().map(({ day, value, before: earlier }) => (
                <tr key={day}>
                  <th scope="row">{formatDate(dayStart(day))}</th>
                  <td data-label="Volume">{withWholeAmounts(formatKes(value))}</td>
                  <td data-label={`${days} days before`}>{withWholeAmounts(formatKes(earlier ?? 0))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </More>
        <Compared figures={figures} before={before} days={days} />
        {campuses.length > 0 && <Campuses campuses={campuses} />}
        <p className="row">
          <LinkButton to={`/admin/figures.csv?days=${days}`} reloadDocument variant="soft">
            Download CSV
          </LinkButton>
          <LinkButton to="/admin/campus-month" variant="soft">
            A Campus's Month
          </LinkButton>
        </p>
      </section>
    </AdminPage>
  );
}

function Compared({ figures, before, days }: Pick<Overview, "figures" | "before" | "days">) {
  return (
    <table className="admin__table admin__table--figures">
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">{`Last ${days} days`}</th>
          <th scope="col">{`${days} days before`}</th>
        </tr>
      </thead>
      <tbody>
        {comparedRows(figures, before).map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td data-label={`Last ${days} days`}>
              <strong>{withWholeAmounts(row.value)}</strong>
            </td>
            <td data-label={`${days} days before`}>{withWholeAmounts(row.before)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Campuses({ campuses }: { campuses: readonly CampusFigures[] }) {
  const rows = campuses.map(({ name, figures }) => ({ name, cells: campusRow(figures) }));
  return (
    <>
      <h3>By campus</h3>
      <p className="quiet">Orders and payments count at the buyer&apos;s campus, listings at the seller&apos;s.</p>
      <table className="admin__table">
        <thead>
          <tr>
            <th scope="col">Campus</th>
            {rows[0]?.cells.map(([label]) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={name}>
              <td data-label="Campus">
                <strong>{name}</strong>
              </td>
              {cells.map(([label, value]) => (
                <td key={label} data-label={label}>
                  {withWholeAmounts(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
