import "#app/orders/components/orders.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { OpenStep } from "./open-steps.server.ts";

/** How many stand in sight, so that products do, too. */
const SHOWN = 3;

/** What the viewer does next with what they buy and sell. Nothing where there is nothing. */
export function OpenSteps({ steps }: { steps: readonly OpenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section className="newest open-steps" aria-labelledby="open-steps">
      <h2 id="open-steps">Your next steps</h2>
      <Rows steps={steps.slice(0, SHOWN)} />
      {steps.length > SHOWN && (
        <details className="ordered">
          <summary>{steps.length - SHOWN} more</summary>
          <Rows steps={steps.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

function Rows({ steps }: { steps: readonly OpenStep[] }) {
  return (
    <ul className="order-rows" role="list">
      {steps.map(({ id, path, name, buyerName, image, step, titledBy }) => (
        <li key={id}>
          <Link className="order-row" to={path}>
            <span className="order-row__photo">
              <Photo {...imageSources(image, "48px")} alt="" fill />
            </span>
            <span className="order-row__words">
              <span className="order-row__name" data-title={titledBy === "step" || undefined}>
                {step}
              </span>
              <span className="order-row__fact">
                <span data-title={titledBy === "name" || undefined}>{name}</span>
                {buyerName && ` · ${buyerName}`}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
