import { useContext, useId } from "react";
import type { TooltipRenderProps } from "react-joyride";
import { Button, IconButton } from "#app/ui/button.tsx";
import { readScene } from "./page-scene.ts";
import { endTour, SendContext } from "./send-context.ts";

/**
 * One step as a dialog. react-joyride places it, keeps the focus inside, and focuses the button with
 * `data-action="primary"`.
 */
export function StepCard({ index, size, isLastStep, step, tooltipProps }: TooltipRenderProps) {
  const id = useId();
  const send = useContext(SendContext);
  const move = (type: "next" | "back") => send({ type, scene: readScene() });
  const end = () => endTour(send);
  return (
    <div
      className="tour-card"
      role="dialog"
      aria-modal={tooltipProps["aria-modal"]}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
    >
      <p className="tour-card__progress numbers">
        Step {index + 1} of {size}
      </p>
      <h2 className="tour-card__title" id={`${id}title`}>
        {step.title}
      </h2>
      <p className="tour-card__text" id={`${id}text`}>
        {step.content}
      </p>
      <div className="tour-card__line" aria-hidden="true">
        {Array.from({ length: size }, (_, place) => (
          <span key={place} className={place <= index ? "tour-card__dot tour-card__dot--done" : "tour-card__dot"} />
        ))}
      </div>
      <div className="tour-card__actions">
        <Button className="tour-card__skip" variant="ghost" onClick={end}>
          Skip Tutorial
        </Button>
        {index > 0 && (
          <Button variant="soft" onClick={() => move("back")}>
            Back
          </Button>
        )}
        <Button data-action="primary" onClick={() => move("next")}>
          {isLastStep ? "Finish" : "Next"}
        </Button>
      </div>
      <IconButton className="tour-card__close" variant="ghost" icon="x" label="Close" onClick={end} />
    </div>
  );
}
