import "./deal-steps.css";
import type { ReactNode } from "react";
import type { DealWords } from "#app/deals/deal-view.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { usualIcons } from "#app/ui/feedback/callout.tsx";

interface NextStepPanelProps {
  words: DealWords;
  /** The main button, and what it needs. */
  children?: ReactNode;
}

/** The first thing on an order's page: the next step as one sentence, its button, and what follows from it. */
export function NextStepPanel({ words: { tone, title, sentences }, children }: NextStepPanelProps) {
  return (
    <section className="card next-step" data-accent-color={tone} aria-label="Next step">
      <h2 className="next-step__title">
        <Icon name={usualIcons[tone]} />
        {title}
      </h2>
      {children}
      <div className="next-step__words">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  );
}
