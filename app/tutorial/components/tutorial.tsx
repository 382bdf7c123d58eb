/** The guided tour. It is a chunk of its own, which the gate fetches while the tour is on. */
import "./tutorial.css";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type EventData, EVENTS, Joyride, type Options, type Step } from "react-joyride";
import { takeRestart } from "#app/tutorial/tutorial-storage.ts";
import type { OpenStep } from "#app/tutorial/tutorial-rules.ts";
import { RESTARTED_TEXT } from "#app/tutorial/start.ts";
import { TOURS, type TourStep } from "#app/tutorial/tour-rules.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { DebugPanel } from "./debug-panel.tsx";
import { findTarget, isMobile, readScene, topDialog, watchDialogs } from "./page-scene.ts";
import { StepCard } from "./step-card.tsx";
import { endTour, type Send, SendContext } from "./send-context.ts";
import { useTutorial } from "./use-tutorial.ts";

/** The card never leaves the visible part of the page, even where it then covers its target. */
const IN_VIEW = { boundary: [] as Element[], rootBoundary: "viewport" as const, padding: 8 };

const LOOK = {
  skipBeacon: true,
  // Escape is handled here. A press beside the card does nothing, so that nobody ends the tour by accident.
  dismissKeyAction: false,
  overlayClickAction: false,
  // Ms. The tour opens when the page has loaded, so a missing target will not appear later.
  targetWaitTimeout: 200,
  // The library scrolls only the nearest scrolling box, which may be a row of chips below the fold: scrollTo does it
  // instead.
  skipScroll: true,
  spotlightPadding: 6,
  spotlightRadius: 12,
  offset: 8,
  overlayColor: "rgb(0 0 0 / 0.6)",
  zIndex: 200,
} satisfies Partial<Options>;

const PLACEMENT = {
  strategy: "fixed" as const,
  hideArrow: true,
  flipOptions: IN_VIEW,
  shiftOptions: { ...IN_VIEW, crossAxis: true },
};

/** Room that a card and its distance from the target take at most, px. */
const CARD_ROOM_PX = 280;

export { beginTutorial } from "#app/tutorial/start.ts";

const STYLES = { spotlight: { stroke: "var(--gold-9)", strokeWidth: 2 } };

export function Tutorial() {
  const { tutorial, send } = useTutorial();
  const [debugging] = useState(() => new URLSearchParams(location.search).get("debug") === "true");
  const dialog = useSyncExternalStore(watchDialogs, topDialog);
  // A tour whose targets are behind a dialog waits until the dialog is closed. A tour of the dialog itself opens inside
  // it.
  const open = tutorial.open && isWithin(dialog, tutorial.open) ? tutorial.open : null;
  useEffect(() => {
    if (takeRestart()) toast.success(RESTARTED_TEXT);
  }, []);
  return (
    <SendContext value={send}>
      <LiveRegion text={open ? progressText(open) : ""} />
      {open && <Tour key={open.tour} open={open} dialog={dialog} send={send} />}
      {debugging && <DebugPanel tutorial={tutorial} />}
    </SendContext>
  );
}

function isWithin(dialog: HTMLElement | null, { tour }: OpenStep): boolean {
  return dialog === null || TOURS[tour].some(({ targets }) => dialog.contains(findTarget(targets)));
}

function progressText({ tour, step, shown }: OpenStep): string {
  return `Step ${shown.indexOf(step) + 1} of ${shown.length}: ${TOURS[tour][step]?.title ?? ""}`;
}

function Tour({ open, dialog, send }: { open: OpenStep; dialog: HTMLElement | null; send: Send }) {
  const { tour, step } = open;
  const shown = open.shown.join();
  const steps = useMemo(() => {
    const here = TOURS[tour].filter((_, index) => shown.split(",").includes(String(index)));
    return here.map((each) => toJoyride(each, dialog !== null));
  }, [tour, shown, dialog]);

  useEffect(() => handleEscape(() => endTour(send)), [send]);
  useEffect(() => {
    for (const [index, { title }] of TOURS[tour].entries()) {
      if (!shown.split(",").includes(String(index)))
        console.warn(`The tour step “${title}” has no target on this page.`);
    }
  }, [tour, shown]);

  function onEvent({ type }: EventData) {
    if (type === EVENTS.TARGET_NOT_FOUND) send({ type: "next", scene: readScene() });
  }

  return (
    <Joyride
      continuous
      run
      steps={steps}
      stepIndex={open.shown.indexOf(step)}
      options={LOOK}
      floatingOptions={PLACEMENT}
      styles={STYLES}
      onEvent={onEvent}
      tooltipComponent={StepCard}
      loaderComponent={null}
      portalElement={dialog ?? document.querySelector<HTMLElement>(".document")}
    />
  );
}

function toJoyride({ targets, title, text, beside }: TourStep, inDialog: boolean): Step {
  const content = text.replace("{Press}", isMobile() ? "Tap" : "Click");
  if (targets.length === 0) return { target: "body", placement: "center", title, content };
  return {
    target: () => findTarget(targets),
    placement: beside ? "right" : "bottom",
    title,
    content,
    before: async () => scrollTo(findTarget(targets)),
    // A dialog cuts off what leaves it, unless that is fixed to the screen.
    ...(inDialog ? { styles: { overlay: { position: "fixed" as const } } } : {}),
  };
}

/** Scrolls a target to the middle of the screen, or to the top where its card would not fit above or below it. */
function scrollTo(target: HTMLElement | null): void {
  if (!target) return;
  const fits = target.offsetHeight + 2 * CARD_ROOM_PX <= innerHeight;
  target.scrollIntoView({ block: fits ? "center" : "start", inline: "nearest" });
}

/**
 * Ends the tour on Escape, and keeps that from a dialog below it, which would close on it. Returns a function that
 * stops it.
 */
function handleEscape(onEscape: () => void): () => void {
  function onKey(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onEscape();
  }
  addEventListener("keydown", onKey, true);
  return () => removeEventListener("keydown", onKey, true);
}
