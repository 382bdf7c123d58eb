import { useCallback, useEffect, useRef, useState } from "react";
import { type NavigateFunction, useLocation, useNavigate } from "react-router";
import { readTutorial, saveTutorial } from "#app/tutorial/tutorial-storage.ts";
import {
  advance,
  type PageAction,
  FORM_POLL_MS,
  ORDERS_POLL_MS,
  ORDERS_START_MS,
  PAGE_READY_MS,
  type Tutorial,
  TOUR_START_MS,
  tourOf,
  type TutorialEvent,
} from "#app/tutorial/tutorial-rules.ts";
import { findTarget, isInForm, isLoading, readScene } from "./page-scene.ts";

/**
 * The tutorial's state, kept in the browser, and `send` to change it. Starts the tour of each page when the page has
 * loaded.
 */
export function useTutorial(): { tutorial: Tutorial; send: (event: TutorialEvent) => void } {
  const [tutorial, setTutorial] = useState(readTutorial);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const current = useRef(tutorial);
  // The gate has already waited for the first page to load.
  const isFirstPage = useRef(true);

  const send = useCallback(
    (event: TutorialEvent) => {
      const { tutorial: after, action } = advance(current.current, event);
      if (after !== current.current) {
        current.current = after;
        setTutorial(after);
        saveTutorial(after);
      }
      run(action, navigate);
    },
    [navigate],
  );

  useEffect(() => {
    // The tour may have been finished in another tab, or restarted.
    current.current = { ...current.current, ...readTutorial() };
    send({ type: "arrived", path: pathname });
    let timer: ReturnType<typeof setTimeout>;
    const stops: (() => void)[] = [];
    function wait() {
      if (isLoading()) timer = setTimeout(wait, PAGE_READY_MS);
      else timer = setTimeout(begin, TOUR_START_MS);
    }
    function begin() {
      // Nobody is interrupted in the middle of a form.
      if (isInForm()) {
        timer = setTimeout(begin, TOUR_START_MS);
        return;
      }
      send({ type: "settled", scene: readScene() });
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

function run(action: PageAction | null, navigate: NavigateFunction): void {
  if (action?.do === "go") void navigate(action.to);
  if (action?.do === "press") findTarget([action.target])?.click();
}

/** Sends an event when My Shop shows its orders. Returns a function that stops it. */
function watchOrders(send: (event: TutorialEvent) => void): () => void {
  let start: ReturnType<typeof setTimeout> | undefined;
  const poll = setInterval(() => {
    if (start !== undefined || tourOf(readScene()) !== "orders") return;
    start = setTimeout(() => {
      start = undefined;
      send({ type: "watched", scene: readScene() });
    }, ORDERS_START_MS);
  }, ORDERS_POLL_MS);
  return () => {
    clearInterval(poll);
    clearTimeout(start);
  };
}

/**
 * Sends events from which the tutorial sees that My Shop's product form opened or closed. Returns a function that stops
 * it.
 */
function watchForm(send: (event: TutorialEvent) => void): () => void {
  const poll = setInterval(() => {
    const scene = readScene();
    if (tourOf(scene) !== "orders") send({ type: "watched", scene });
  }, FORM_POLL_MS);
  return () => clearInterval(poll);
}
