import "./steps.css";
import { classNames } from "./class-names.ts";
import { Icon } from "./pictures/icon.tsx";

interface StepsProps {
  label: string;
  steps: readonly string[];
  /** The index of the current step, from 0. After the last index all are done. */
  current: number;
}

/** A progress bar with named steps. */
export function Steps({ label, steps, current }: StepsProps) {
  return (
    <ol className="steps" role="list" aria-label={label}>
      {steps.map((step, index) => {
        const done = index < current;
        const now = index === current;
        return (
          <li
            key={step}
            className={classNames("steps__step", done && "steps__step--done", now && "steps__step--now")}
            aria-current={now ? "step" : undefined}
          >
            <span className="steps__mark" aria-hidden="true">
              {done || (now && index === steps.length - 1) ? <Icon name="check" size="small" /> : index + 1}
            </span>
            {step}
            {done && <span className="visually-hidden"> (done)</span>}
          </li>
        );
      })}
    </ol>
  );
}
