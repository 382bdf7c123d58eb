import { dayStart } from "#app/platform/east-africa-time.ts";
import { chartTop, type SalesDay } from "./sales-rules.ts";
import { formatDate } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** The size of the viewBox. The page stretches it. */
const WIDTH = 600;
const HEIGHT = 120;

/**
 * Sales by day as bars, and as a table for screen readers and for exact numbers. Closed at first, because the next step and
 * the orders matter more. `days`: oldest first.
 */
export function SalesChart({ days }: { days: readonly SalesDay[] }) {
  const revenue = days.reduce((sum, day) => sum + day.revenue, 0);
  const sales = days.reduce((sum, day) => sum + day.sales, 0);
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last || sales === 0) return null;
  const top = chartTop(Math.max(...days.map((day) => day.revenue)));
  const step = WIDTH / days.length;
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
        <div className="sales__plot">
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Revenue by day: ${formatKes(revenue)} from ${formatDate(dayStart(first.day))} to ${formatDate(dayStart(last.day))}`}
          >
            {days.map(({ day, revenue: height }, at) => {
              const bar = height === 0 ? 0 : Math.max(3, (height / top) * (HEIGHT - 4));
              return (
                bar > 0 && (
                  <rect
                    key={day}
                    className="sales__bar"
                    x={at * step + step * 0.15}
                    y={HEIGHT - bar}
                    width={step * 0.7}
                    height={bar}
                    rx={2}
                  />
                )
              );
            })}
          </svg>
          <span className="sales__top quiet numbers" aria-hidden="true">
            {formatKes(top)}
          </span>
        </div>
        <div className="row row--apart quiet sales__dates" aria-hidden="true">
          <span>{formatDate(dayStart(first.day))}</span>
          <span>Today</span>
        </div>
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
