/** The guided tour: a chunk of its own, fetched by the gate while the tour is on (accounts spec §2, §4). */
import "./tutorial.css";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { type EventData, EVENTS, Joyride, type Options, type Step } from "react-joyride";
import type { OpenStep } from "#app/tutorial/rules.ts";
import { TOURS, type TourStep } from "#app/tutorial/tour-rules.ts";
import { LiveRegion } from "#app/ui/live-region.tsx";
import { DebugPanel } from "./debug-panel.tsx";
import { findTarget, isMobile, topWindow, watchWindows } from "./stage.ts";
import { StepCard } from "./step-card.tsx";
import { type Send, SendContext } from "./send-context.ts";
import { useTutorial } from "./use-tutorial.ts";

const LOOK = {
  skipBeacon: true,
  // Escape is ours, a press beside the card does nothing: nobody loses the tour by a slip.
  dismissKeyAction: false,
  overlayClickAction: false,
  // Ms. The page has settled before: what is not there now will not come.
  targetWaitTimeout: 200,
  // The library scrolls only the nearest box that scrolls, which may be a row of chips far below: toJoyride does it.
  skipScroll: true,
  spotlightPadding: 6,
  spotlightRadius: 12,
  offset: 8,
  arrowColor: "var(--color-panel-solid)",
  arrowBase: 20,
  arrowSize: 10,
  overlayColor: "rgb(0 0 0 / 0.6)",
  zIndex: 200,
} satisfies Partial<Options>;

const STYLES = { spotlight: { stroke: "var(--gold-9)", strokeWidth: 2 } };

export function Tutorial() {
  const { tutorial, send } = useTutorial();
  const [debugging] = useState(() => new URLSearchParams(location.search).get("debug") === "true");
  const over = useSyncExternalStore(watchWindows, topWindow);
  // What another window covers waits until that is closed; what it contains is shown in it.
  const open = tutorial.open && isWithin(over, tutorial.open) ? tutorial.open : null;
  return (
    <SendContext value={send}>
      <LiveRegion text={open ? progressText(open) : ""} />
      {open && <Tour key={open.tour} open={open} within={over} send={send} />}
      {debugging && <DebugPanel tutorial={tutorial} />}
    </SendContext>
  );
}

function isWithin(over: HTMLElement | null, { tour }: OpenStep): boolean {
  return over === null || TOURS[tour].some(({ targets }) => over.contains(findTarget(targets)));
}

function progressText({ tour, step }: OpenStep): string {
  return `Step ${step + 1} of ${TOURS[tour].length}: ${TOURS[tour][step]?.title ?? ""}`;
}

function Tour({ open, within, send }: { open: OpenStep; within: HTMLElement | null; send: Send }) {
  const { tour, step } = open;
  const steps = useMemo(
    () => TOURS[tour].map((each) => (within ? inWindow(toJoyride(each)) : toJoyride(each))),
    [tour, within],
  );

  useEffect(() => keepFromWindow(() => send({ type: "close" })), [send]);

  function onEvent({ type, step: missed }: EventData) {
    if (type !== EVENTS.TARGET_NOT_FOUND) return;
    console.warn(`The tour has nothing to show for “${String(missed.title)}” here.`);
    send({ type: "missing" });
  }

  return (
    <Joyride
      continuous
      run
      steps={steps}
      stepIndex={step}
      options={LOOK}
      styles={STYLES}
      onEvent={onEvent}
      tooltipComponent={StepCard}
      loaderComponent={null}
      portalElement={within ?? document.querySelector<HTMLElement>(".document")}
    />
  );
}

function toJoyride({ targets, title, text, beside }: TourStep): Step {
  const content = text.replace("{Press}", isMobile() ? "Tap" : "Click");
  if (targets.length === 0) return { target: "body", placement: "center", title, content };
  return {
    target: () => findTarget(targets),
    placement: beside ? "right" : "bottom",
    title,
    content,
    before: async () => findTarget(targets)?.scrollIntoView({ block: "center", inline: "nearest" }),
  };
}

/** A window cuts off what stands out of it, unless that is fixed to the screen. */
function inWindow(step: Step): Step {
  return { ...step, floatingOptions: { strategy: "fixed" }, styles: { overlay: { position: "fixed" } } };
}

/**
 * Closes the tour on Escape, and keeps both Escape and presses on the tour from the window below it, which would take them for
 * its own and close. Returns the undoing.
 */
function keepFromWindow(onEscape: () => void): () => void {
  function onKey(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onEscape();
  }
  function onPress(event: PointerEvent) {
    if (event.target instanceof Element && event.target.closest(".react-joyride__floater, .react-joyride__overlay"))
      event.stopPropagation();
  }
  addEventListener("keydown", onKey, true);
  addEventListener("pointerdown", onPress, true);
  return () => {
    removeEventListener("keydown", onKey, true);
    removeEventListener("pointerdown", onPress, true);
  };
}
