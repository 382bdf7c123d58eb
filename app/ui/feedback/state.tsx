import type { ReactNode } from "react";
import { useLocation, useRevalidator } from "react-router";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { useScripted } from "#app/ui/browser/use-scripted.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";

export interface StateProps {
  icon: IconName;
  title: string;
  sentence?: ReactNode;
  /** The button for the next step. */
  action?: ReactNode;
  /** 1 when it is the whole screen. */
  level?: 1 | 2;
}

/** An empty list or screen: says so, and offers the next step. */
export function EmptyState({ icon, title, sentence, action, level = 2 }: StateProps) {
  return <State tone="gold" icon={icon} title={title} sentence={sentence} action={action} level={level} />;
}

/** True whether it was us or the connection. */
export const TRY_AGAIN = "Please try again. If that doesn't help, check your connection.";

interface ErrorStateProps {
  title: string;
  sentence?: ReactNode;
  /** Replaces "Try Again", which reloads the screen's data. */
  action?: ReactNode;
  icon?: IconName;
  level?: 1 | 2;
}

/** A failure: says what failed, and offers to try again. */
export function ErrorState({ title, sentence = TRY_AGAIN, action, icon = "circle-alert", level = 2 }: ErrorStateProps) {
  return (
    <div role="alert">
      <State
        tone="red"
        icon={icon}
        title={title}
        sentence={sentence}
        action={action ?? <RetryButton />}
        level={level}
      />
    </div>
  );
}

/** Reloads the data of the screen. Without scripts it is a link that reloads the page. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const { pathname, search } = useLocation();
  if (!useScripted())
    return (
      <LinkButton icon="refresh-cw" to={{ pathname, search }} reloadDocument>
        Try Again
      </LinkButton>
    );
  return (
    <Button icon="refresh-cw" busy={state === "loading"} onClick={() => void revalidate()}>
      Try Again
    </Button>
  );
}

function State({ tone, icon, title, sentence, action, level }: StateProps & { tone: "gold" | "red" }) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className="state">
      <div className="state__mark" data-accent-color={tone}>
        <Icon name={icon} />
      </div>
      <Heading>{title}</Heading>
      {sentence && <p className="state__sentence">{withWholeAmounts(sentence)}</p>}
      {action && <div className="state__action row">{action}</div>}
    </div>
  );
}
