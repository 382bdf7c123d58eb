import "./slideshow.css";
import { useEffect, useRef, useState, useSyncExternalStore, type ReactNode, type RefObject } from "react";
import { classNames } from "./class-names.ts";
import { useScripted } from "./use-scripted.ts";

/** How long a slide stays, ms. */
const STAY_MS = 10_000;
/** When the pictures out of sight are fetched, ms after the first one: they must not slow down the form. */
const FETCH_AFTER_MS = 4_000;

export interface Slide {
  words: ReactNode;
  /** For the dot. */
  label: string;
  picture: string;
}

/** How often the slideshow checks whether to turn, ms. */
const TICK_MS = 500;
/** A turn has come to rest after this time, ms. */
const TURN_MS = 1500;
const REDUCED = "(prefers-reduced-motion: reduce)";
/** Somebody points at the slides, or is in them with the keyboard. */
const HELD = ":has(:focus-visible), :hover";

/**
 * Slides in a strip that scrolls and snaps: a swipe turns them, and the first one shows before scripts load. They turn by themselves
 * unless somebody points at them, focuses them with the keyboard, pauses them, or asks for less motion.
 */
export function Slideshow({ slides }: { slides: readonly Slide[] }) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const fetched = useFetched();
  const calm = useCalm();
  const scripted = useScripted();

  function turnTo(index: number): void {
    strip.current?.scrollTo({ left: index * strip.current.clientWidth, behavior: calm ? "instant" : "smooth" });
  }
  useTurning(strip, paused || calm);

  return (
    <div className="slideshow" role="group" aria-roledescription="slideshow" aria-label="What you can do here">
      <div
        className="slideshow__strip"
        ref={strip}
        // The arrow keys turn what scrolls, once it can be focused.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={({ currentTarget }) => setCurrent(Math.round(currentTarget.scrollLeft / currentTarget.clientWidth))}
      >
        {slides.map((slide, index) => (
          <div
            key={slide.picture}
            className="slideshow__slide"
            aria-hidden={index !== current}
            role="group"
            aria-roledescription="slide"
            aria-label={slide.label}
          >
            <p className="auth__words">{slide.words}</p>
            {index === 0 && (
              <img className="auth__scene" src={slide.picture} alt="" width="820" height="1100" fetchPriority="high" />
            )}
            {index > 0 && fetched && (
              <img className="auth__scene" src={slide.picture} alt="" width="820" height="1100" />
            )}
          </div>
        ))}
      </div>
      {scripted && (
        <div className="slideshow__controls">
          {slides.map((slide, index) => (
            <button
              key={slide.picture}
              type="button"
              className="slideshow__dot"
              aria-label={`Slide ${index + 1}: ${slide.label}`}
              aria-current={index === current || undefined}
              onClick={() => turnTo(index)}
            />
          ))}
          {!calm && (
            <button
              type="button"
              className={classNames("slideshow__pause", paused && "slideshow__pause--paused")}
              aria-label={paused ? "Play slideshow" : "Pause slideshow"}
              onClick={() => setPaused(!paused)}
            />
          )}
        </div>
      )}
    </div>
  );
}

/** Turns to the next slide after each full, uninterrupted stay, and from the last slide to the first. */
function useTurning(strip: RefObject<HTMLDivElement | null>, stopped: boolean): void {
  useEffect(() => {
    if (stopped) return;
    // How long the slide at index `at` has been shown, counted from the moment the slideshow started to turn to it.
    let stayed = 0;
    let at = 0;
    const timer = setInterval(() => {
      const { current: element } = strip;
      if (!element) return;
      const slide = Math.round(element.scrollLeft / element.clientWidth);
      const held = document.visibilityState === "hidden" || element.parentElement?.matches(HELD);
      // While it turns, the strip passes other slides; later, another slide means that a person has turned.
      const turned = slide !== at && stayed >= TURN_MS;
      stayed = held || turned ? 0 : stayed + TICK_MS;
      if (turned) at = slide;
      if (stayed < STAY_MS) return;
      stayed = 0;
      at = (slide + 1) % element.childElementCount;
      element.scrollTo({ left: at * element.clientWidth, behavior: "smooth" });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [strip, stopped]);
}

/** Whether less motion is wanted. */
function useCalm(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(REDUCED);
      query.addEventListener("change", onChange);
      return () => query.removeEventListener("change", onChange);
    },
    () => matchMedia(REDUCED).matches,
    () => true,
  );
}

/** True once the pictures out of sight may be fetched. */
function useFetched(): boolean {
  const [fetched, setFetched] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setFetched(true), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return fetched;
}
