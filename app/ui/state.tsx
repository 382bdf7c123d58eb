import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";

export interface StateProps {
  icon: IconName;
  title: string;
  sentence?: ReactNode;
  /** The button for what to do next. */
  action?: ReactNode;
  /** 1 when it is the whole screen. */
  level?: 1 | 2;
}

/** Nothing here yet: says so, and what to do next. */
export function EmptyState({ icon, title, sentence, action, level = 2 }: StateProps) {
  return <State tone="gold" icon={icon} title={title} sentence={sentence} action={action} level={level} />;
}

interface ErrorStateProps {
  title: string;
  sentence?: ReactNode;
  /** Instead of "Try Again", which loads the screen's data anew. */
  action?: ReactNode;
  icon?: IconName;
  level?: 1 | 2;
}

/** Something failed: says what, and offers to try again. */
export function ErrorState({ title, sentence, action, icon = "circle-alert", level = 2 }: ErrorStateProps) {
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

/** Loads the data of the screen anew. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
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
      {sentence && <p className="state__sentence">{sentence}</p>}
      {action && <div className="state__action row">{action}</div>}
    </div>
  );
}
