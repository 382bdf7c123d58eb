import "./later.css";
import { type ComponentType, type ReactNode, Suspense, use, useEffect, useMemo, useRef, useState } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { useScripted } from "./use-scripted.ts";

/** After a failure, the script is asked for again after this time, in ms. */
const AGAIN_MS = 5_000;
/** Signs that somebody is about to use a part. */
const SIGNS = ["pointerover", "pointerdown", "focusin"] as const;

interface LaterOptions<Props> {
  /** Its script also loads when it is on the screen. Otherwise only somebody's touch, the focus or new data load it. */
  inView?: boolean;
  /** Whether its script loads with the screen, for these properties. */
  isWanted?: (props: Props) => boolean;
}

/**
 * A part of a screen whose script loads when it is wanted, not with the screen. The server renders all of it, so people
 * can read it, and its links and forms work as without scripts. It is wanted when somebody points at it or moves the
 * focus into it, when new data comes and, with `inView`, when it is on the screen. A press before its script has come
 * takes effect afterwards. On a screen that the browser renders itself, the script loads at once.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { inView = false, isWanted }: LaterOptions<Props> = {},
): (props: Props) => ReactNode {
  let Part: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  const { promise: loaded, resolve } = withResolvers();

  function start(): Promise<unknown> {
    loading ??= load().then(
      (component) => {
        Part = component;
        resolve();
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  function want(): void {
    start().catch(() => setTimeout(want, AGAIN_MS));
  }

  function Content({ props, onStart }: { props: Props; onStart: (hasStarted: boolean) => void }) {
    useEffect(() => onStart(true), [onStart]);
    if (!Part) use(loaded);
    return Part && <Part {...props} />;
  }

  /** What the server rendered stays until the script has come. Until then, new data waits. */
  function Served(props: Props) {
    const [first] = useState(props);
    const [hasStarted, setHasStarted] = useState(() => Part !== undefined);
    const box = useRef<HTMLDivElement>(null);
    const pressed = useRef<EventTarget>(null);
    const { state: navigation } = useNavigation();
    const { state: reload } = useRevalidator();
    // The router's changes wait for every part that has no script yet.
    if (!isSame(props, first) || isWanted?.(props) || navigation !== "idle" || reload !== "idle") want();

    useEffect(() => {
      const part = box.current;
      if (!part) return;
      function letGo() {
        removeEventListener("click", hold, true);
        part?.removeAttribute("aria-busy");
        // Not click(), which icons don't have.
        pressed.current?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
        pressed.current = null;
      }
      if (hasStarted) return letGo();
      const isInside = ({ target }: Event) => target instanceof Node && part.contains(target);
      const sense = (event: Event) => isInside(event) && want();
      function hold(event: MouseEvent) {
        if (!isInside(event) || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        pressed.current = event.target;
        part?.setAttribute("aria-busy", "true");
        // It then works as without scripts.
        start().catch(letGo);
      }
      const observer =
        inView && new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && want());
      if (observer) observer.observe(part);
      // On the window, because React stops the events of parts that have no script.
      addEventListener("click", hold, true);
      for (const sign of SIGNS) addEventListener(sign, sense, true);
      return () => {
        if (observer) observer.disconnect();
        removeEventListener("click", hold, true);
        for (const sign of SIGNS) removeEventListener(sign, sense, true);
      };
    }, [hasStarted]);

    const shown = hasStarted ? props : first;
    const content = useMemo(
      () => (
        <Suspense>
          <Content props={shown} onStart={setHasStarted} />
        </Suspense>
      ),
      [shown],
    );
    return (
      <div className="later" ref={box}>
        {content}
      </div>
    );
  }

  return function Later(props) {
    const isScripted = useScripted();
    const [isServed] = useState(!isScripted);
    if ((import.meta.env.SSR || !isServed) && !Part) use(start());
    return <Served {...props} />;
  };
}

function isSame<Props extends object>(props: Props, others: Props): boolean {
  const known = new Map(Object.entries(others));
  return Object.entries(props).every(([name, value]) => Object.is(value, known.get(name)));
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
