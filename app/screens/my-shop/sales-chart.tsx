import "#app/ui/charts/day-chart.css";
import { Suspense } from "react";
import { dayStart } from "#app/platform/east-africa-time.ts";
import { CHART_DAYS, type SalesDay } from "./sales-rules.ts";
import { chartDays } from "#app/ui/charts/chart-rules.ts";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";
import { formatDate } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** Closed at first, so its script comes after the screen's. */
const DayChart = import.meta.env.SSR
  ? (await import("#app/ui/charts/day-chart.tsx")).DayChart
  : lazyPart(async () => (await import("#app/ui/charts/day-chart.tsx")).DayChart);

interface SalesChartProps {
  /** Days with sales, in any order. */
  sold: readonly SalesDay[];
  /** Days since 1970 in East Africa Time. */
  today: number;
}

/**
 * Sales by day as bars, and as a table for screen readers and for exact numbers. Closed at first, because the next step
 * and the orders matter more.
 */
export function SalesChart({ sold, today }: SalesChartProps) {
  const first = today - CHART_DAYS + 1;
  const days = sold.filter(({ day }) => day >= first).toSorted((one, other) => other.day - one.day);
  const revenue = days.reduce((sum, day) => sum + day.revenue, 0);
  const sales = days.reduce((sum, day) => sum + day.sales, 0);
  if (sales === 0) return null;
  const revenues = new Map(sold.map((day) => [day.day, day.revenue]));
  return (
    <details className="sales card" data-tour="shop-sales">
      <summary className="sales__head row row--apart">
        <span>Last {CHART_DAYS} days</span>
        <strong className="row numbers">
          {formatKes(revenue)}
          <Icon name="chevron-down" />
        </strong>
      </summary>
      <div className="sales__body">
        <p className="quiet small">{sales === 1 ? "From 1 sale" : `From ${sales} sales`}</p>
        <Suspense fallback={null}>
          <DayChart
            title="KES by day"
            days={chartDays(revenues, today, CHART_DAYS)}
            label={`Revenue by day: ${formatKes(revenue)} from ${formatDate(dayStart(first))} to ${formatDate(dayStart(today))}`}
            write={formatKes}
          />
        </Suspense>
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
              {days.map((day) => (
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
