import { dayStart } from "#app/platform/east-africa-time.ts";
import { DayChart } from "./day-chart.tsx";
import type { SalesDay } from "./sales-rules.ts";
import { formatDate } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/**
 * Sales by day as bars, and as a table for screen readers and for exact numbers. Closed at first, because the next step
 * and the orders matter more. `days`: oldest first.
 */
export function SalesChart({ days }: { days: readonly SalesDay[] }) {
  const revenue = days.reduce((sum, day) => sum + day.revenue, 0);
  const sales = days.reduce((sum, day) => sum + day.sales, 0);
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last || sales === 0) return null;
  return (
    <details className="sales card" data-tour="shop-sales">
      <summary className="sales__head row row--apart">
        <span>Last {days.length} days</span>
        <strong className="row numbers">
          {formatKes(revenue)}
          <Icon name="chevron-down" />
        </strong>
      </summary>
      <div className="sales__body">
        <p className="quiet small">{sales === 1 ? "From 1 sale" : `From ${sales} sales`}</p>
        <DayChart
          bars={days.map(({ day, revenue: height }) => ({ day, height }))}
          label={`Revenue by day: ${formatKes(revenue)} from ${formatDate(dayStart(first.day))} to ${formatDate(dayStart(last.day))}`}
          top={formatKes}
        />
        <details className="sales__table">
          <summary className="text-link small">Show as a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Sales</th>
                <th scope="col">Revenue</th>
              </tr>
            </thead>
            <tbody>
              {days
                .filter((day) => day.sales > 0)
                .toReversed()
                .map((day) => (
                  <tr key={day.day}>
                    <th scope="row">{formatDate(dayStart(day.day))}</th>
                    <td>{day.sales}</td>
                    <td>{formatKes(day.revenue)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      </div>
    </details>
  );
}
