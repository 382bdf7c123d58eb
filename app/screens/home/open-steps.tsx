import "#app/orders/components/orders.css";
import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { OpenStep } from "./open-steps.server.ts";

/** What the viewer does next with what they buy and sell. Nothing where there is nothing. */
export function OpenSteps({ steps }: { steps: readonly OpenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section className="newest open-steps" aria-labelledby="open-steps">
      <h2 id="open-steps">Your next steps</h2>
      <ul className="order-rows" role="list">
        {steps.map(({ id, path, name, image, step, titledBy }) => (
          <li key={id}>
            <Link className="order-row" to={path}>
              <span className="order-row__photo">
                <Photo {...imageSources(image, "48px")} alt="" fill />
              </span>
              <span className="order-row__words">
                <span className="order-row__name" data-title={titledBy === "step" || undefined}>
                  {step}
                </span>
                <span className="order-row__fact" data-title={titledBy === "name" || undefined}>
                  {name}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
