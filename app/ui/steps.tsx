import "./steps.css";
import { classNames } from "./class-names.ts";
import { Icon } from "./pictures/icon.tsx";

interface StepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the current step, from 0. After the last index all are done. */
  current: number;
  /** The current step comes next, rather than being reached. */
  isNext?: boolean;
}

/** A progress bar with named steps. */
export function Steps({ label, steps, current, isNext }: StepsProps) {
  return (
    <ol className="steps" role="list" aria-label={label}>
      {steps.map((step, index) => {
        const done = index < current;
        const now = index === current;
        return (
          <li
            key={step}
            className={classNames(
              "steps__step",
              done && "steps__step--done",
              now && (isNext ? "steps__step--next" : "steps__step--now"),
            )}
            aria-current={now ? "step" : undefined}
          >
            <span className="steps__mark" aria-hidden="true">
              {done || (now && !isNext && index === steps.length - 1) ? <Icon name="check" size="small" /> : index + 1}
            </span>
            {step}
            {done && <span className="visually-hidden"> (done)</span>}
          </li>
        );
      })}
    </ol>
  );
}
