import { Link } from "react-router";
import { imageSources } from "#app/catalogue/photos/image-sources.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Photo } from "#app/ui/pictures/photo.tsx";
import type { OpenStep } from "./open-steps.server.ts";

/** What the viewer does next with what they buy and sell. Nothing where there is nothing. */
export function OpenSteps({ steps }: { steps: readonly OpenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <section className="open-steps" aria-labelledby="open-steps">
      <h2 id="open-steps">Your next steps</h2>
      <ul role="list">
        {steps.map(({ itemId, path, name, image, step }) => (
          <li key={itemId}>
            <Link className="open-step" to={path}>
              <span className="open-step__photo">
                <Photo {...imageSources(image, "48px")} alt="" fill />
              </span>
              <span className="open-step__words">
                <strong>{step}</strong>
                <span className="open-step__name">{name}</span>
              </span>
              <Icon name="chevron-right" size="small" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
