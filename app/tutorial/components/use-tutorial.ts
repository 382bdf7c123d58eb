import { useCallback, useEffect, useRef, useState } from "react";
import { type NavigateFunction, useLocation, useNavigate } from "react-router";
import { keepTutorial, recallTutorial } from "#app/tutorial/memory.ts";
import {
  advance,
  type Errand,
  FORM_POLL_MS,
  ORDERS_POLL_MS,
  ORDERS_START_MS,
  PAGE_READY_MS,
  type Tutorial,
  TOUR_START_MS,
  tourOf,
  type TutorialEvent,
} from "#app/tutorial/rules.ts";
import { findTarget, isArriving, lookAround } from "./stage.ts";

/** The tutorial on this page: its state, kept in the browser, and what to tell it. It starts tours by itself. */
export function useTutorial(): { tutorial: Tutorial; send: (event: TutorialEvent) => void } {
  const [tutorial, setTutorial] = useState(recallTutorial);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const current = useRef(tutorial);
  // The first page has loaded a moment ago: the gate waited for that.
  const isFirstPage = useRef(true);

  const send = useCallback(
    (event: TutorialEvent) => {
      const { tutorial: after, errand } = advance(current.current, event);
      if (after !== current.current) {
        current.current = after;
        setTutorial(after);
        keepTutorial(after);
      }
      run(errand, navigate);
    },
    [navigate],
  );

  useEffect(() => {
    // Another window may have finished the tour, or the top bar started it again.
    current.current = { ...current.current, ...recallTutorial() };
    send({ type: "arrived", path: pathname });
    let timer: ReturnType<typeof setTimeout>;
    const stops: (() => void)[] = [];
    function wait() {
      if (isArriving()) timer = setTimeout(wait, PAGE_READY_MS);
      else timer = setTimeout(begin, TOUR_START_MS);
    }
    function begin() {
      send({ type: "settled", scene: lookAround() });
      stops.push(watchOrders(send), watchForm(send));
    }
    timer = setTimeout(wait, isFirstPage.current ? 0 : PAGE_READY_MS);
    isFirstPage.current = false;
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, [pathname, send]);

  return { tutorial, send };
}

function run(errand: Errand | null, navigate: NavigateFunction): void {
  if (errand?.do === "go") void navigate(errand.to);
  if (errand?.do === "press") findTarget([errand.target])?.click();
}

/** Tells when My Shop's orders are shown. Returns the undoing. */
function watchOrders(send: (event: TutorialEvent) => void): () => void {
  let start: ReturnType<typeof setTimeout> | undefined;
  const poll = setInterval(() => {
    if (start !== undefined || tourOf(lookAround()) !== "orders") return;
    start = setTimeout(() => {
      start = undefined;
      send({ type: "watched", scene: lookAround() });
    }, ORDERS_START_MS);
  }, ORDERS_POLL_MS);
  return () => {
    clearInterval(poll);
    clearTimeout(start);
  };
}

/** Tells when My Shop's form for a product appears, and when it is gone. Returns the undoing. */
function watchForm(send: (event: TutorialEvent) => void): () => void {
  const poll = setInterval(() => {
    const scene = lookAround();
    if (tourOf(scene) !== "orders") send({ type: "watched", scene });
  }, FORM_POLL_MS);
  return () => clearInterval(poll);
}
