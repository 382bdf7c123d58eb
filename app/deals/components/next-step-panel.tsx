import "./deal-steps.css";
import type { ReactNode } from "react";
import type { DealWords } from "#app/deals/words/deal-view.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { stepPanelId } from "./use-lead-to-step.ts";
import { Callout, usualIcons } from "#app/ui/feedback/callout.tsx";

interface NextStepPanelProps {
  /** The item; not given before an order is paid. */
  itemId?: string;
  /** `warning`: what to know before anything is pressed. */
  words: DealWords & { warning?: string | null };
  /** The main button, and what it needs. */
  children?: ReactNode;
}

/** The first thing on an order's page: the next step as one sentence, its button, and what follows from it. */
export function NextStepPanel({ itemId, words: { tone, title, sentences, warning }, children }: NextStepPanelProps) {
  return (
    <section
      id={itemId && stepPanelId(itemId)}
      className="card stack next-step"
      data-accent-color={tone}
      aria-label="Next step"
      // What was sent is answered here (`useLeadToStep`).
      tabIndex={-1}
    >
      <h2 className="next-step__title">
        <Icon name={usualIcons[tone]} />
        <span>{withWholeAmounts(title)}</span>
      </h2>
      {warning && (
        <Callout tone="orange" icon="shield-check">
          <span className="small">{warning}</span>
        </Callout>
      )}
      {children}
      <div className="next-step__words small quiet">
        {sentences.map((sentence) => (
          <p key={sentence}>{withWholeAmounts(sentence)}</p>
        ))}
      </div>
    </section>
  );
}
