import "./later.css";
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  Suspense,
  use,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { UNSAFE_RouteContext, useLocation, useNavigation } from "react-router";
import { PartMissing, sayPartMissing } from "./part-missing.tsx";
import { serverParts } from "./server-parts.ts";
import { putTextsBack } from "./translated-texts.ts";
import { useScripted } from "./use-scripted.ts";

/** Signs that somebody is about to use a part. */
const SIGNS = ["pointerover", "pointerdown", "focusin"] as const;

interface LaterOptions<Props> {
  /** Its script also loads when it is on the screen. */
  inView?: boolean;
  /** Whether its script loads with the screen, for these properties. */
  isWanted?: (props: Props) => boolean;
  /** Each press before its script has come takes effect, not only the last. For buttons whose presses add up. */
  eachPress?: boolean;
  /** Parts inside it. On a screen that the browser renders itself, their scripts load together with its own. */
  inner?: readonly Startable[];
}

interface ContentProps<Props> {
  props: Props;
  /** Where the server rendered the part. */
  box: RefObject<HTMLDivElement | null>;
  onStart: (hasStarted: boolean) => void;
}

interface Startable {
  /** Loads its script, once. Rejects if that fails. */
  start: () => Promise<unknown>;
}

/**
 * A part of a screen whose script loads when it is wanted, not with the screen. The server renders all of it, so people
 * can read it, and its links and forms work as without scripts. It is wanted when somebody points at it or moves the
 * focus into it, when its screen asks for data and, with `inView`, when it is on the screen. A press before its script
 * has come takes effect afterwards. New data shows in it once its script has come.
 *
 * On a screen that the browser renders itself, the script loads at once, and the screen waits for it.
 *
 * If a script doesn't load, a message says so as soon as a press or new data needs it; on a screen that the browser
 * renders itself, it stands in the part's place. Its button reloads the page, and the server renders the part.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { inView = false, isWanted, eachPress = false, inner = [] }: LaterOptions<Props> = {},
): ((props: Props) => ReactNode) & Startable {
  let Part: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  const { promise: loaded, resolve } = withResolvers();
  let attempt: Promise<void> | undefined;
  let hasSaidFailure = false;

  function start(): Promise<unknown> {
    loading ??= load().then((component) => {
      Part = component;
      resolve();
    });
    return loading;
  }

  /** Ends when the script has come or failed. */
  function attempted(): Promise<void> {
    // React would find the inner parts one after the other. Each tells of its own failure when it is rendered.
    for (const part of inner) part.start().catch(() => {});
    attempt ??= start().then(
      () => {},
      () => {},
    );
    return attempt;
  }

  function want(onFailure = () => {}): void {
    if (!Part) start().catch(onFailure);
  }

  /** For new data, which may come often. One message is enough. */
  function sayFailureOnce(): void {
    if (!hasSaidFailure) sayPartMissing();
    hasSaidFailure = true;
  }

  function Content({ props, box, onStart }: ContentProps<Props>) {
    // A change in an effect that React runs later would be idle work. While the router has new state that React can't
    // show yet, such work waits.
    useLayoutEffect(() => onStart(true), [onStart]);
    const [translated] = useState(() => (Part && box.current?.querySelector("font") ? box.current : null));
    if (!Part) use(loaded);
    else if (translated) use(takeOver(translated));
    return Part && <Part {...props} />;
  }

  /** A part that the server rendered. It keeps its first properties until its script has come. */
  function Served(props: Props) {
    const [first] = useState(props);
    const [hasStarted, setHasStarted] = useState(() => Part !== undefined);
    const box = useRef<HTMLDivElement>(null);
    const pressed = useRef<(EventTarget | null)[]>([]);
    const { pathname } = useLocation();
    const { location: next } = useNavigation();
    // New with each state of the router: while data loads, and when it has come.
    const route = useContext(UNSAFE_RouteContext);
    const [firstRoute] = useState(route);
    // React shows no new state of the router, nor takes over other parts, before it can render this one. So the script is
    // asked for together with the data, but not for a navigation to another screen, which ends without it. This is no
    // effect, which would ask later. Asking twice is harmless, and the server has the script before it renders the part.
    if (!isSame(props, first) || next?.pathname === pathname) want(sayFailureOnce);
    else if (isWanted?.(props) || (route !== firstRoute && !next)) want();

    useEffect(() => {
      const part = box.current;
      if (!part) return;
      async function letGo(): Promise<void> {
        removeEventListener("click", hold, true);
        part?.removeAttribute("aria-busy");
        for (const target of pressed.current.splice(0)) {
          // Not click(), which icons don't have.
          target?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true }));
          // React shows what a press has changed before the next one.
          await Promise.resolve();
        }
      }
      if (hasStarted) return void letGo();
      const isInside = ({ target }: Event) => target instanceof Node && part.contains(target);
      const sense = (event: Event) => isInside(event) && want();
      function hold(event: MouseEvent) {
        if (!isInside(event) || event.metaKey || event.ctrlKey || event.shiftKey) return;
        // The copy works as without scripts. A held press would be lost with it.
        if (part?.querySelector(".later__kept")) return;
        event.preventDefault();
        event.stopPropagation();
        if (!eachPress) pressed.current = [];
        // A translator's element may be gone by then.
        pressed.current.push(event.target instanceof Element ? event.target.closest(":not(font)") : null);
        part?.setAttribute("aria-busy", "true");
        // Its links and forms then work as without scripts. Other buttons do nothing, so the message is needed.
        start().catch(async () => {
          await letGo();
          if (part?.isConnected) addEventListener("click", hold, true);
          sayPartMissing();
        });
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
        <Suspense fallback={<Kept box={box} />}>
          <Content props={shown} box={box} onStart={setHasStarted} />
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

  if (import.meta.env.SSR)
    serverParts.push(async () => {
      Part ??= await load();
    });

  function Later(props: Props) {
    const isScripted = useScripted();
    const [isServed] = useState(!isScripted);
    if (import.meta.env.SSR && !Part) throw new Error("loadServerParts() comes before the first render");
    if (!isServed && !Part) {
      use(attempted());
      if (!Part) return <PartMissing />;
    }
    return <Served {...props} />;
  }
  return Object.assign(Later, { start });
}

/**
 * A copy of what the server rendered. React removes the original where a navigation on the same screen ends before the
 * script has come.
 */
function Kept({ box }: { box: RefObject<HTMLDivElement | null> }) {
  const [__html] = useState(() => box.current?.innerHTML);
  return __html && <div className="later__kept" dangerouslySetInnerHTML={{ __html }} />;
}

const takenOver = new WeakMap<Element, Promise<void>>();

/**
 * Makes React take a translated part over, once. React compares its texts and would throw the part away, with what is
 * typed in it. So the texts go back to their places first. React usually pauses in between, and the translator would get
 * to them again. An event of this kind makes React do all of it at once.
 */
function takeOver(part: Element): Promise<void> {
  let over = takenOver.get(part);
  if (!over) {
    over = Promise.resolve().then(() => {
      putTextsBack(part);
      part.firstElementChild?.dispatchEvent(new Event("keyup", { bubbles: true }));
    });
    takenOver.set(part, over);
  }
  return over;
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
