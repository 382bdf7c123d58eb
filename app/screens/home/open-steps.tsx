import "#app/orders/components/order-rows.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { OpenStep } from "./open-steps.server.ts";

/**
 * What the viewer does next with what they buy and sell: the most urgent in sight, so that what is for sale is, too.
 * Nothing where there is nothing.
 */
export function OpenSteps({ steps }: { steps: readonly OpenStep[] }) {
  const more = steps.slice(1);
  if (steps.length === 0) return null;
  return (
    <section className="newest next-steps" aria-label="Your next steps">
      <h2>Your next steps</h2>
      {rowsOf(steps.slice(0, 1))}
      {more.length > 0 && (
        <details>
          <summary>More Steps</summary>
          {rowsOf(more)}
        </details>
      )}
    </section>
  );
}

function rowsOf(steps: readonly OpenStep[]) {
  return (
    <ul className="order-rows" role="list">
      {steps.map(({ id, path, name, image, step, isTitle }) => (
        <li key={id}>
          <Link className="order-row" to={path}>
            <span className="order-row__photo">
              <Photo {...imageSources(image, "48px")} alt="" fill />
            </span>
            <span className="order-row__words">
              <span className="order-row__name" data-title={isTitle}>
                {withWholeAmounts(step)}
              </span>
              <span className="order-row__fact" data-title>
                {withWholeAmounts(name)}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
