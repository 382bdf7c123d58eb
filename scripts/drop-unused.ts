/**
 * Leaves parts of React and React Router that we never use out of the scripts for browsers. The libraries don't let a
 * bundler drop them by itself, and every first visit would download them.
 *
 * The build fails where a part has another name, where our code or another library uses one, and where React or React
 * Router has another version.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst, type Plugin } from "vite";
import { assertCheckedVersions } from "#scripts/library-versions.ts";
import { root } from "#scripts/folders.ts";
import { isSyntaxNode, type SyntaxNode } from "#scripts/syntax.ts";

interface UnusedPart {
  /** What it does, and why nobody needs it. */
  what: string;
  /** How the path of its module ends, after `node_modules/`. */
  module: string;
  /**
   * Declarations at the top of the module: a function's new body, or the new value of a variable or an export.
   * `outer.inner` is a function that stands in the function `outer`.
   */
  replace?: Record<string, string>;
  /** Cases of `switch` that never occur. */
  cases?: readonly UnusedCases[];
  /** Code outside of React and React Router that uses the part. */
  use?: RegExp;
}

interface UnusedCases {
  /** The function that the `switch` is in; without it, each `switch` of the module. */
  within?: string;
  /** What the `switch` looks at. */
  of: RegExp;
  /** The values, as the module writes them. */
  labels: readonly string[];
}

const ROUTER = "react-router/dist/production/lib";
const REACT_DOM = "react-dom/cjs/react-dom-client.production.js";

/** Events that only audio and video have. Images have `error`, too. */
const MEDIA_EVENTS =
  /^(abort|canPlay|canPlayThrough|durationChange|emptied|encrypted|ended|loaded\w+|loadStart|pause|play|playing|progress|rateChange|resize|seek\w+|stalled|suspend|timeUpdate|volumeChange|waiting)$/;

/** The events that React hears, without those of audio and video. */
const EVENTS = readEvents();

function readEvents(): string[] {
  const code = readFileSync(join(root, "node_modules", REACT_DOM), "utf8");
  const list = /\bsimpleEventPluginEvents =\s*"([^"]+)"/.exec(code)?.[1];
  if (list === undefined) throw new Error("React writes its list of events in another way: scripts/drop-unused.ts.");
  return list.split(" ").filter((event) => !MEDIA_EVENTS.test(event));
}

/** Attributes with another name in JSX. The others belong to parts of SVG that we don't draw. */
const USED_ATTRIBUTES =
  /^(accept|http|cross|htmlFor|clip(Path|Rule)|fill|font(Family|Size|Style|Weight)"|letter|pointer|shape|stop|stroke|text|transform|vectorE|wordS|writing|xmlns)/;

/** React's list of such attributes. We keep the pairs of names that we use, and drop the names in JSX of the others. */
export const ATTRIBUTES = readAttributes();

function readAttributes(): { kept: string[]; dropped: string[] } {
  const code = readFileSync(join(root, "node_modules", REACT_DOM), "utf8");
  const list = /\baliases = new Map\(\[(.*?)\]\)/s.exec(code)?.[1];
  const pairs = list?.match(/\["[\w-]+", "[\w:-]+"\]/g) ?? [];
  if (pairs.length < 50) throw new Error("React writes its list of attributes in another way: scripts/drop-unused.ts.");
  const isUsed = (pair: string) => USED_ATTRIBUTES.test(pair.slice(2));
  return {
    kept: pairs.filter(isUsed),
    dropped: pairs.filter((pair) => !isUsed(pair)).map((pair) => pair.slice(2, pair.indexOf('",'))),
  };
}

/** Attributes in another namespace than their element. */
const NAMESPACED = [
  "xlinkHref",
  "xlinkActuate",
  "xlinkArcrole",
  "xlinkRole",
  "xlinkShow",
  "xlinkTitle",
  "xlinkType",
  "xmlBase",
  "xmlLang",
  "xmlSpace",
];

/** Styles whose numbers have no unit. */
const USED_UNITLESS =
  /^(aspectRatio|columns|flex(Grow|Shrink)?|fontWeight|grid\w+|lineHeight|opacity|order|scale|stroke\w+|zIndex|zoom)$/;

/** React's list of such styles: those that somebody here sets, and those that nobody sets. */
const UNITLESS = readUnitless();

function readUnitless(): { kept: string[]; dropped: string[] } {
  const code = readFileSync(join(root, "node_modules", REACT_DOM), "utf8");
  const names = /\bunitlessNumbers = new Set\(\s*"([^"]+)"/.exec(code)?.[1]?.split(" ");
  if (!names) throw new Error("React writes its list of styles in another way: scripts/drop-unused.ts.");
  const isUsed = (name: string) => USED_UNITLESS.test(name);
  return { kept: names.filter(isUsed), dropped: names.filter((name) => !isUsed(name)) };
}

export const UNUSED: readonly UnusedPart[] = [
  {
    what: "Callbacks around each navigation and load, to measure them.",
    module: `${ROUTER}/router/instrumentation.js`,
    replace: {
      consumeInstrumentationClientResultMetaReceiver: "",
      getRouteInstrumentationUpdates: "return {}",
      instrumentClientSideRouter: "return router",
      instrumentHandler: "return handler",
    },
    use: /unstable_instrument|\binstrumentations\b/,
  },
  {
    what: "Prefetching by links, which also costs each link five hooks. See docs/decisions/no-prefetching.md.",
    module: `${ROUTER}/dom/ssr/components.js`,
    replace: {
      usePrefetchBehavior: "return [false, null, {}]",
      PrefetchPageLinks: "return null",
      mergeRefs: "return refs[0]",
    },
    use: /\bprefetch["']?[:=]\s*["'](intent|render|viewport)|PrefetchPageLinks/,
  },
  {
    what: "Redirects and errors in React Server Components.",
    module: `${ROUTER}/hooks.js`,
    replace: { RSCErrorHandler: "return children" },
    use: /\bunstable_RSC/,
  },
  {
    what: "How such errors are written.",
    module: `${ROUTER}/errors.js`,
    replace: { decodeRouteErrorResponseDigest: "" },
  },
  {
    what: "Asking before somebody leaves a screen.",
    module: `${ROUTER}/router/router.js`,
    replace: {
      "createRouter.getBlocker": "",
      "createRouter.deleteBlocker": "",
      "createRouter.updateBlocker": "",
      "createRouter.shouldBlockNavigation": "",
    },
    use: /\b(useBlocker|usePrompt|unstable_usePrompt)\b/,
  },
  {
    what: "The class of a NavLink while its view transition runs.",
    module: `${ROUTER}/dom/lib.js`,
    replace: { useViewTransitionState: "return false" },
    use: /\buseViewTransitionState\b|\bisTransitioning\b/,
  },
  {
    what: "Sentences for developers in an error. Nobody sees them in a build.",
    module: `${ROUTER}/router/utils.js`,
    replace: { getInvalidPathError: "return dest" },
  },
  {
    what: "The same for addresses without a screen. Our screens show their own sentences, by the status.",
    module: `${ROUTER}/router/router.js`,
    replace: {
      getInternalRouterError: `return new ErrorResponseImpl(status || 500, "", new Error(String(status)), true)`,
    },
  },
  {
    what: "The same for a route without the loader or the action that a page asks for.",
    module: `${ROUTER}/dom/ssr/routes.js`,
    replace: {
      preventInvalidServerHandlerCall: "",
      noActionDefinedError: `throw new ErrorResponseImpl(405, "Method Not Allowed", new Error(routeId), true)`,
    },
  },
  {
    what: "The message about an error that no ErrorBoundary shows. The root route's shows all.",
    module: `${ROUTER}/hooks.js`,
    replace: { DefaultErrorComponent: "return null" },
  },
  {
    what: "The page for an app whose root route has no ErrorBoundary. Ours has one; this is what remains if it fails too.",
    module: `${ROUTER}/dom/ssr/errorBoundaries.js`,
    replace: {
      RemixRootDefaultErrorBoundary: `console.error(error);
        return React$1.createElement("html", { lang: "en" }, React$1.createElement("body", null, "Application Error"))`,
    },
  },
  {
    what: "The page of an app that is not rendered on the server, until its data has come.",
    module: `${ROUTER}/dom/ssr/fallback.js`,
    replace: { RemixRootDefaultHydrateFallback: "return null" },
  },
  {
    what: "Loading data in an app that is not rendered on the server.",
    module: `${ROUTER}/dom/ssr/single-fetch.js`,
    replace: { nonSsrStrategy: "" },
  },
  {
    what: "Hot updates of routes in development.",
    module: `${ROUTER}/dom/ssr/routes.js`,
    replace: { createClientRoutesWithHMRRevalidationOptOut: "" },
  },
  {
    what: "Which screens load again, in an app that is not rendered on the server, and after a hot update.",
    module: `${ROUTER}/dom/ssr/routes.js`,
    replace: { getShouldRevalidateFunction: "return route.shouldRevalidate" },
  },
  {
    what: "A router with a history of its own.",
    module: `${ROUTER}/dom/lib.js`,
    replace: { HistoryRouter: "" },
    use: /\bunstable_HistoryRouter\b/,
  },
  {
    what: "`<Await>`: data that is streamed after the page.",
    module: `${ROUTER}/components.js`,
    replace: { AwaitErrorBoundary: "null" },
    use: /\bAwait\b[^;]*from\s*["']react-router["']/,
  },
  {
    what: "Hints to load a resource: preload, preinit and their relatives.",
    module: REACT_DOM,
    replace: {
      preload: "",
      preloadModule: "",
      preinitStyle: "",
      preinitScript: "",
      preinitModuleScript: "",
      preconnectAs: "",
    },
  },
  {
    what: "The same in the package's other module.",
    module: "react-dom/cjs/react-dom.production.js",
    replace: {
      "exports.preconnect": "null",
      "exports.prefetchDNS": "null",
      "exports.preinit": "null",
      "exports.preinitModule": "null",
      "exports.preload": "null",
      "exports.preloadModule": "null",
    },
    use: /\b(preinit|preinitModule|preloadModule|prefetchDNS|preconnect)\(|\bpreload\b[^;]*from\s*["']react-dom["']/,
  },
  {
    what: "Style sheets that React itself adds and waits for. Ours come with their routes, or in the page.",
    module: REACT_DOM,
    replace: {
      accumulateSuspenseyCommitOnFiber: "",
      preloadResourceAndSuspendIfNeeded: "workInProgress.flags &= -16777217",
      preloadStylesheet: "",
      suspendResource: "",
      waitForCommitToBeReady: "return null",
    },
    use: /["']link["'],\s*\{[^}]*\bprecedence\b/,
  },
  {
    what: "Lists of Suspense boundaries. React doesn't export them yet.",
    module: REACT_DOM,
    replace: { updateSuspenseListComponent: "", initSuspenseListRenderState: "", cutOffTailIfNeeded: "" },
    use: /\bSuspenseList\b/,
  },
  {
    what: "Activity: screens that wait in the background.",
    module: REACT_DOM,
    replace: { updateActivityComponent: "" },
    use: /\bActivity\b[^;]*from\s*["']react["']|\bReact\w*\.Activity\b/,
  },
  {
    what: "State of form actions that run in the browser. Our forms post to their routes.",
    module: REACT_DOM,
    replace: {
      mountActionState: "",
      updateActionState: "",
      rerenderActionState: "",
      useHostTransitionStatus: "",
      extractEvents$1: "",
    },
    use: /\buse(ActionState|FormState|FormStatus)\b|["']form["'],\s*\{[^{}]*\baction: (async\b|\(|function\b)/,
  },
  {
    what: "The events of an input method, and `onBeforeInput`. Fields report what was typed by `onInput` and `onChange`.",
    module: REACT_DOM,
    replace: {
      canUseCompositionEvent: "!1",
      canUseTextInputEvent: "!0",
      useFallbackCompositionData: "!1",
      getNativeBeforeInputChars: "return null",
      getFallbackBeforeInputChars: "return null",
      isFallbackCompositionEnd: "return !1",
      getData: "return null",
    },
    use: /\bon(BeforeInput|Composition(Start|Update|End))(Capture)?\b/,
  },
  {
    what: "The event that a text was selected.",
    module: REACT_DOM,
    replace: { constructSelectEvent: "" },
    use: /["'](input|textarea)["'],\s*\{[^{}]*\bonSelect/,
  },
  {
    what: "The selection in a text that is edited in the page. Fields keep theirs.",
    module: REACT_DOM,
    replace: { getNodeForCharacterOffset: "" },
    use: /\bcontentEditable\b/,
  },
  {
    what: "What browsers before 2016 need: the events of fields, prefixed events of animations, and names of keys.",
    module: REACT_DOM,
    replace: {
      isInputEventSupported: "!0",
      getTargetInstForInputEventPolyfill: "",
      handleEventsForInputEventPolyfill: "",
      handlePropertyChange: "",
      getVendorPrefixedEventName: "return eventName",
      normalizeKey: "{}",
      translateToKey: `{ 13: "Enter" }`,
    },
  },
  {
    what: "Events of audio and video. The one video is played without them.",
    module: REACT_DOM,
    replace: {
      mediaEventTypes: `["error"]`,
      simpleEventPluginEvents: `${JSON.stringify(EVENTS.join(" "))}.split(" ")`,
    },
    use: /["'](video|audio)["'],\s*\{[^{}]*\bon[A-Z]/,
  },
  {
    what: "The address of React's page about an error. Its number finds that page.",
    module: REACT_DOM,
    replace: { formatProdErrorMessage: "return `Minified React error #${code}`" },
  },
  {
    what: "Custom elements.",
    module: REACT_DOM,
    replace: { setPropOnCustomElement: "", isCustomElement: "return !1" },
    use: /(?:\b_?jsxs?|\bcreateElement)\)?\(["'][a-z]+-/,
  },
  {
    what: "Names of attributes in parts of SVG that we don't draw.",
    module: REACT_DOM,
    replace: { aliases: `new Map([${ATTRIBUTES.kept.join()}])` },
    use: new RegExp(`\\b(${ATTRIBUTES.dropped.join("|")})\\b`),
  },
  {
    what: "The components around an error, which only a callback would receive that we don't have.",
    module: REACT_DOM,
    replace: { getStackByFiberInDevAndProd: `return ""`, getComponentNameFromType: "return null" },
    use: /\bcomponentStack\b/,
  },
  {
    what: "Values that are shown later than they change.",
    module: REACT_DOM,
    replace: { mountDeferredValueImpl: "return value", updateDeferredValueImpl: "return value" },
    use: /\buseDeferredValue\b/,
  },
  {
    what: "The cache of React's compiler.",
    module: REACT_DOM,
    replace: { useMemoCache: "" },
    use: /\buseMemoCache\b|react\/compiler-runtime/,
  },
  {
    what: "`createRoot`, for a page that the server has not rendered, and choosing which part of a page is hydrated first.",
    module: REACT_DOM,
    replace: {
      "exports.createRoot": "null",
      "ReactDOMHydrationRoot.prototype.unstable_scheduleHydration": "null",
      attemptExplicitHydrationTarget: "",
    },
    use: /\bcreateRoot\b|\bunstable_scheduleHydration\b/,
  },
  {
    what: "The browser's own sign of progress during a transition. React stores its function and never calls it.",
    module: REACT_DOM,
    replace: { defaultOnDefaultTransitionIndicator: "" },
    use: /\bonDefaultTransitionIndicator\b/,
  },
  {
    what: "Profiler, and what the lists of Suspense boundaries, Activity and the tracing of React's authors leave behind.",
    module: REACT_DOM,
    cases: [
      {
        within: "createFiberFromTypeAndProps",
        of: /^type$/,
        labels: ["REACT_ACTIVITY_TYPE", "REACT_PROFILER_TYPE", "REACT_SUSPENSE_LIST_TYPE"],
      },
      // Numbers of such components: Profiler, SuspenseList, Scope, TracingMarker, ViewTransition, Activity.
      { of: /\.tag$/, labels: ["12", "19", "21", "25", "30", "31"] },
    ],
    use: /\bProfiler\b[^;]*from\s*["']react["']|\bReact\w*\.Profiler\b/,
  },
  {
    what: "`useTransition`, and the state of a form while its action runs. Navigation uses React's `startTransition`.",
    module: REACT_DOM,
    replace: {
      "HooksDispatcherOnMount.useTransition": "null",
      "HooksDispatcherOnUpdate.useTransition": "null",
      "HooksDispatcherOnRerender.useTransition": "null",
      startHostTransition: "",
      TransitionAwareHostComponent: "",
      requestFormReset: "",
      recursivelyResetForms: "",
    },
    use: /\buseTransition\b|\brequestFormReset\b/,
  },
  {
    what: "Renewing React's cache, which only server components have.",
    module: REACT_DOM,
    replace: {
      "HooksDispatcherOnMount.useCacheRefresh": "null",
      "HooksDispatcherOnUpdate.useCacheRefresh": "null",
      refreshCache: "",
    },
    use: /\buseCacheRefresh\b/,
  },
  {
    what: "Methods of class components that React warns about.",
    module: REACT_DOM,
    replace: { callComponentWillReceiveProps: "" },
    use: /\b(UNSAFE_)?componentWill(Mount|ReceiveProps|Update)\b/,
  },
  {
    what: "Attributes with a namespace.",
    module: REACT_DOM,
    cases: [{ within: "setProp", of: /^key$/, labels: NAMESPACED.map((name) => `"${name}"`) }],
    use: new RegExp(`\\b(${NAMESPACED.join("|")})\\b`),
  },
  {
    what: "Names of attributes in other alphabets. React refuses them now.",
    module: REACT_DOM,
    replace: { VALID_ATTRIBUTE_NAME_REGEX: "/^[:A-Z_a-z][:\\w.-]*$/" },
  },
  {
    what: "Numbers without px in styles that we don't set.",
    module: REACT_DOM,
    replace: { unitlessNumbers: `new Set(${JSON.stringify(UNITLESS.kept)})` },
    use: new RegExp(`\\b(${UNITLESS.dropped.join("|")})["']?:`),
  },
  {
    what: "What an event tells, in browsers that name it otherwise.",
    module: REACT_DOM,
    replace: {
      "EventInterface.timeStamp": "0",
      "MouseEventInterface.relatedTarget": "0",
      "MouseEventInterface.movementX": "0",
      "MouseEventInterface.movementY": "0",
      "ClipboardEventInterface.clipboardData": "0",
      "KeyboardEventInterface.key": `(event) => event.key || "Unidentified"`,
      "KeyboardEventInterface.charCode": "0",
      "KeyboardEventInterface.keyCode": "0",
      "KeyboardEventInterface.which": "0",
      "WheelEventInterface.deltaX": "0",
      "WheelEventInterface.deltaY": "0",
    },
  },
  {
    what: "Asking an event for other keys by name. Its fields have them.",
    module: REACT_DOM,
    replace: {
      "MouseEventInterface.getModifierState": "0",
      "KeyboardEventInterface.getModifierState": "0",
      "TouchEventInterface.getModifierState": "0",
    },
    use: /\bgetModifierState\b/,
  },
  {
    what: "The explanation of an object that is no child of a component. The error's number stays.",
    module: REACT_DOM,
    replace: { throwOnInvalidObjectTypeImpl: "throw Error(formatProdErrorMessage(31))" },
  },
  {
    what: "A second way through children, for those that come from an iterator. They take the way of lists.",
    module: REACT_DOM,
    replace: {
      "createChildReconciler.reconcileChildrenIterator": `
        if (newChildren == null) throw Error(formatProdErrorMessage(151));
        const list = [];
        for (let step = newChildren.next(); !step.done; step = newChildren.next()) list.push(step.value);
        return reconcileChildrenArray(returnFiber, currentFirstChild, list, lanes);`,
    },
  },
  {
    what: "Style sheets that React itself adds: putting them into the page.",
    module: REACT_DOM,
    cases: [{ within: "acquireResource", of: /^resource\.type$/, labels: [`"stylesheet"`] }],
  },
  {
    what: "Finding a component's element from outside.",
    module: REACT_DOM,
    replace: { "ReactDOMSharedInternals.findDOMNode": "null" },
    use: /\bfindDOMNode\b/,
  },
];

/** The path of a library's module after `node_modules/`. Empty for our own modules. */
function packagePath(id: string): string {
  return /.*\/node_modules\/([^?]+)/.exec(id)?.[1] ?? "";
}

/**
 * The `code` of a module with these declarations replaced.
 * @throws where the module has no such declaration
 */
export function replaceDeclarations(code: string, replacements: Record<string, string>): string {
  const found = new Map(findDeclarations(code).map((each) => [each.name, each]));
  const edits = Object.entries(replacements).map(([name, replacement]) => {
    const place = found.get(name);
    if (!place) throw new Error(`There is no ${name} any more.`);
    return { ...place, text: place.isBody ? `{${replacement}}` : replacement };
  });
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text }) => changed.slice(0, start) + text + changed.slice(end), code);
}

/**
 * The `code` of a module without these cases of `switch`. Variables that they declare stay, because other cases may
 * use them.
 * @throws where the module has no such case
 */
export function removeCases(code: string, { within, of, labels }: UnusedCases): string {
  const edits: Edit[] = [];
  const missing = new Set(labels);
  const sourceOf = (node: SyntaxNode) => code.slice(node.start, node.end);
  const visit = (node: unknown, isInside: boolean, body: SyntaxNode | null): void => {
    if (Array.isArray(node)) return node.forEach((each) => visit(each, isInside, body));
    if (!isSyntaxNode(node)) return;
    if (node.type === "SwitchStatement" && isInside && body && of.test(sourceOf(node.discriminant as SyntaxNode))) {
      let isReachedFromAbove = false;
      for (const clause of node.cases as SwitchCase[]) {
        const label = clause.test && sourceOf(clause.test);
        const isRemoved = label !== null && labels.includes(label);
        if (isRemoved) {
          missing.delete(label);
          const end = isReachedFromAbove ? (clause.consequent[0]?.start ?? clause.end) : clause.end;
          edits.push({ start: clause.start, end, text: "" });
          const variables = isReachedFromAbove ? [] : findVariables(clause.consequent);
          if (variables.length > 0)
            edits.push({ start: body.end - 1, end: body.end - 1, text: `var ${variables.join()};` });
        }
        if (!isRemoved || isReachedFromAbove) isReachedFromAbove = !endsHere(clause.consequent);
      }
    }
    const isWithin = isInside || (node.type === "FunctionDeclaration" && nameOf(node.id) === within);
    const ownBody = isFunction(node) && isSyntaxNode(node.body) ? node.body : body;
    Object.values(node).forEach((child) => visit(child, isWithin, ownBody));
  };
  visit(parseAst(code).body, within === undefined, null);
  if (missing.size > 0) throw new Error(`There is no case ${[...missing].join()} any more.`);
  // A case may stand in another one that goes, too.
  const outermost = edits.filter(
    (a) => !edits.some((b) => b !== a && b.start < a.end && b.start <= a.start && a.end <= b.end),
  );
  return outermost
    .toSorted((a, b) => b.start - a.start)
    .reduce((changed, { start, end, text }) => changed.slice(0, start) + text + changed.slice(end), code);
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** The names that `var` declares in these statements, for the whole function around them. */
function findVariables(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findVariables);
  if (!isSyntaxNode(node) || isFunction(node)) return [];
  if (node.type === "VariableDeclarator" && isSyntaxNode(node.id))
    return [nameOf(node.id) ?? [], findVariables(node.init)].flat();
  return Object.values(node).flatMap(findVariables);
}

function nameOf(node: unknown): string | undefined {
  return isSyntaxNode(node) && typeof node.name === "string" ? node.name : undefined;
}

function isFunction({ type }: SyntaxNode): boolean {
  return /Function/.test(type);
}

interface SwitchCase extends SyntaxNode {
  test: SyntaxNode | null;
  consequent: SyntaxNode[];
}

/** Whether nothing runs on from these statements into the next case. */
function endsHere(statements: SyntaxNode[]): boolean {
  return /^(Break|Return|Throw|Continue)Statement$/.test(statements.at(-1)?.type ?? "");
}

interface Declaration {
  name: string;
  /** Where its body or its value stands. */
  start: number;
  end: number;
  isBody: boolean;
}

/** What a module declares at its top: functions and those inside them, variables, and members such as `exports.name`. */
function findDeclarations(code: string): Declaration[] {
  return parseAst(code).body.flatMap((statement): Declaration[] => {
    if (statement.type === "FunctionDeclaration" && statement.id && statement.body) {
      const { id, body } = statement;
      const inner = body.body.flatMap((each) =>
        each.type === "FunctionDeclaration" && each.id && each.body
          ? [{ name: `${id.name}.${each.id.name}`, start: each.body.start, end: each.body.end, isBody: true }]
          : [],
      );
      return [{ name: id.name, start: body.start, end: body.end, isBody: true }, ...inner];
    }
    if (statement.type === "VariableDeclaration")
      return statement.declarations.flatMap(({ id, init }) =>
        id.type === "Identifier" && init
          ? [{ name: id.name, start: init.start, end: init.end, isBody: false }, ...findMembers(id.name, init)]
          : [],
      );
    if (statement.type === "ExpressionStatement" && statement.expression.type === "AssignmentExpression") {
      const { left, right } = statement.expression;
      return [{ name: code.slice(left.start, left.end), start: right.start, end: right.end, isBody: false }];
    }
    return [];
  });
}

/** The `code` of a module without a part. */
export function dropPart(code: string, { replace = {}, cases = [] }: UnusedPart): string {
  return cases.reduce(removeCases, replaceDeclarations(code, replace));
}

/** The members of an object that is written in a variable's value, as `variable.member`. */
function findMembers(variable: string, value: unknown): Declaration[] {
  if (!isSyntaxNode(value)) return [];
  if (value.type === "CallExpression")
    return (value.arguments as SyntaxNode[]).flatMap((each) => findMembers(variable, each));
  if (value.type !== "ObjectExpression") return [];
  return (value.properties as { key?: { name?: string }; value?: SyntaxNode }[]).flatMap((member) =>
    member.key?.name !== undefined && member.value
      ? [{ name: `${variable}.${member.key.name}`, start: member.value.start, end: member.value.end, isBody: false }]
      : [],
  );
}

/** The build's plugin. */
export function dropUnused(): Plugin {
  const replaced = new Set<string>();
  return {
    name: "drop-unused",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    buildStart: () => assertCheckedVersions(),
    transform(code, id) {
      const path = packagePath(id);
      const parts = UNUSED.filter(({ module }) => module === path);
      if (parts.length === 0) return null;
      replaced.add(path);
      try {
        return { code: parts.reduce(dropPart, code), map: null };
      } catch (error) {
        throw new Error(`scripts/drop-unused.ts can't change ${path}.`, { cause: error });
      }
    },
    buildEnd(error) {
      if (error) return;
      const missing = UNUSED.find(({ module }) => !replaced.has(module));
      if (missing) throw new Error(`scripts/drop-unused.ts expects ${missing.module}, which is in no script.`);
      for (const id of this.getModuleIds()) {
        const fault = findUse(id, this.getModuleInfo(id)?.code ?? "");
        if (fault !== null) throw new Error(fault);
      }
    },
  };
}

/** What is wrong with a module that uses a part that is left out, or null. */
export function findUse(id: string, code: string): string | null {
  if (/^(react|react-dom|react-router|scheduler)\//.test(packagePath(id))) return null;
  const part = UNUSED.find(({ use }) => use?.test(code));
  return part ? `${id} needs what scripts/drop-unused.ts leaves out: ${part.what}` : null;
}
