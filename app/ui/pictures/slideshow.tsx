import "./slideshow.css";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { LESS_MOTION, smoothly } from "#app/ui/browser/motion.ts";
import { classNames } from "#app/ui/class-names.ts";
import { useMedia } from "#app/ui/browser/use-media.ts";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";

/** How long each slide shows, in ms. */
const STAY_MS = 10_000;
/** How long after the first picture the others load, in ms, so that they don't slow down the form. */
const FETCH_AFTER_MS = 4_000;

export interface Slide {
  words: ReactNode;
  /** The label of its dot. */
  label: string;
  picture: string;
}

/** How often the slideshow checks whether to change, in ms. */
const TICK_MS = 500;
/** How long a change takes until it is complete, in ms. */
const TURN_MS = 1500;
/** The pointer or the keyboard focus is on the slides. */
const HELD = ":has(:focus-visible), :hover";

/**
 * Slides in a strip that scrolls and snaps. A swipe changes them, and the first one shows before scripts load. They
 * change by themselves unless somebody points at them, focuses them, pauses them, or prefers less motion. With Data
 * saver they don't, and a picture loads once its slide is in view.
 */
export function Slideshow({ slides }: { slides: readonly Slide[] }) {
  const strip = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const saver = useDataSaver();
  const fetched = useFetched();
  const prefersLessMotion = useMedia(LESS_MOTION, true);
  const reducesMotion = prefersLessMotion || saver;
  const scripted = useScripted();

  function turnTo(index: number): void {
    strip.current?.scrollTo({
      left: index * strip.current.clientWidth,
      behavior: saver ? "instant" : smoothly(),
    });
  }
  useAutoAdvance(strip, paused || reducesMotion);

  return (
    <div className="slideshow" role="group" aria-roledescription="slideshow" aria-label="What you can do here">
      <div
        className="slideshow__strip"
        ref={strip}
        // Once it is focusable, the arrow keys scroll it.
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
            {index > 0 && (saver ? index === current : fetched) && (
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
          {!reducesMotion && (
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

/** Changes to the next slide after each full, uninterrupted stay, and from the last slide to the first. */
function useAutoAdvance(strip: RefObject<HTMLDivElement | null>, stopped: boolean): void {
  useEffect(() => {
    if (stopped) return;
    // How long the slide at index `at` has been shown, from the moment the slideshow started to change to it.
    let stayed = 0;
    let at = 0;
    const timer = setInterval(() => {
      const { current: element } = strip;
      if (!element) return;
      const slide = Math.round(element.scrollLeft / element.clientWidth);
      const held = document.visibilityState === "hidden" || element.parentElement?.matches(HELD);
      // During a change the strip passes other slides. At any other time, a different slide means that a person has
      // scrolled.
      const turned = slide !== at && stayed >= TURN_MS;
      stayed = held || turned ? 0 : stayed + TICK_MS;
      if (turned) at = slide;
      if (stayed < STAY_MS) return;
      stayed = 0;
      at = (slide + 1) % element.childElementCount;
      element.scrollTo({ left: at * element.clientWidth, behavior: smoothly() });
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [strip, stopped]);
}

/** True once the other pictures may load. */
function useFetched(): boolean {
  const [fetched, setFetched] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setFetched(true), FETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return fetched;
}
