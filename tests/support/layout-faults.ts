/**
 * Whether each text of a page can be read where it stands: in any engine, by boxes alone. That a photo lies over a
 * price is no fault to axe, and no error of a script.
 */

/**
 * Runs in the page: the texts that are under something, on a picture or over each other, cut off, out of their box or
 * beyond the screen; and whether the page scrolls sideways.
 */
export function findLayoutFaults(): string[] {
  /** Borders and letters may end between two px. */
  const ROUNDING = 1;
  /** Of a line's height: letters are lower than the box that a browser reports, which may reach into the next line. */
  const BESIDE_LETTERS = 0.3;
  /** Of the screen: what stands in its middle is under none of the bars at its edges. */
  const MIDDLE = { top: 0.3, bottom: 0.7 };

  interface Edges {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  interface Line extends Edges {
    element: Element;
    words: string;
    /** Whether it stays where it is when the page scrolls. */
    isFixed: boolean;
  }

  // A dialog or the photo viewer is all that can be read while it is open.
  const root = [...document.querySelectorAll("dialog:modal, .pswp")].at(-1) ?? document.body;
  const found: string[] = [];
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const known = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, known);
    return known;
  };
  const alphaOf = (colour: string) => {
    const [, alpha = colour === "transparent" ? "0" : "1"] =
      /^rgba\(.*, ([\d.]+)\)$/.exec(colour) ?? /\/ ([\d.]+)\)$/.exec(colour) ?? [];
    return Number(alpha);
  };
  const isPicture = (element: Element) => element.matches("img, video, canvas, iframe, svg");
  const isOpaque = (element: Element) => {
    const { backgroundColor, backgroundImage } = styleOf(element);
    return isPicture(element) || backgroundImage !== "none" || alphaOf(backgroundColor) > 0.5;
  };
  /** Whether one sees where the element ends. */
  const hasEdges = (element: Element) => {
    const style = styleOf(element);
    const isBordered = (["Top", "Right", "Bottom", "Left"] as const).every(
      (side) => Number.parseFloat(style[`border${side}Width`]) > 0 && alphaOf(style[`border${side}Color`]) > 0.05,
    );
    return style.display !== "inline" && (isBordered || alphaOf(style.backgroundColor) > 0.05);
  };
  const ancestorsOf = (element: Element) => {
    const all: Element[] = [];
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) all.push(each);
    return all;
  };
  /** What cuts off the contents of an element, from the inside out. */
  const clippersOf = (element: Element) => {
    const clippers: Element[] = [];
    let position = "static";
    for (const each of ancestorsOf(element)) {
      const style = styleOf(each);
      const holds = position === "static" || style.position !== "static" || style.transform !== "none";
      if (position !== "fixed" && holds && (style.overflowX !== "visible" || style.overflowY !== "visible"))
        clippers.push(each);
      if (holds) position = /absolute|fixed/.test(style.position) ? style.position : "static";
    }
    return clippers;
  };
  const innerEdges = (element: Element): Edges => {
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = [left + element.clientLeft, top + element.clientTop];
    return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
  };
  const lettersOf = ({ left, top, right, bottom }: Edges): Edges => {
    const beside = (bottom - top) * BESIDE_LETTERS;
    return { left: left + ROUNDING, top: top + beside, right: right - ROUNDING, bottom: bottom - beside };
  };
  const name = (words: string) => `“${words.replaceAll(/\s+/g, " ").trim().slice(0, 60)}”`;
  const place = (element: Element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;

  /** The part of a line that can be seen, perhaps after scrolling within the page; null if there is none. */
  const seenPart = (words: string, element: Element, line: Edges): Edges | null => {
    const letters = lettersOf(line);
    let { left, top, right, bottom } = letters;
    for (const clipper of clippersOf(element)) {
      const style = styleOf(clipper);
      const edges = innerEdges(clipper);
      // What assistive technology alone reads is a pixel large.
      if (edges.right - edges.left <= 1 || edges.bottom - edges.top <= 1) return null;
      const scrollsX = /auto|scroll/.test(style.overflowX) && clipper.scrollWidth > clipper.clientWidth;
      const scrollsY = /auto|scroll/.test(style.overflowY) && clipper.scrollHeight > clipper.clientHeight;
      const isBeside = left < edges.left - ROUNDING || right > edges.right + ROUNDING;
      const isAbove = top < edges.top - ROUNDING || bottom > edges.bottom + ROUNDING;
      const isEndless = style.overflowX === "visible" || scrollsX || style.textOverflow === "ellipsis";
      if (isBeside && scrollsX && scrollsY)
        found.push(`${name(words)} is beside the edge of ${place(clipper)}, which scrolls down`);
      if (isBeside && !isEndless) found.push(`${name(words)} is cut off at the side by ${place(clipper)}`);
      const isClamped = style.getPropertyValue("-webkit-line-clamp") !== "none" && top >= edges.bottom - ROUNDING;
      if (isAbove && style.overflowY !== "visible" && !scrollsY && !isClamped)
        found.push(`${name(words)} is cut off above or below by ${place(clipper)}`);
      if (style.overflowX !== "visible") [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
      if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, edges.top), Math.min(bottom, edges.bottom)];
      if (right - left < 2 || bottom - top < 2) return null;
    }
    if (right > innerWidth + ROUNDING || left < -ROUNDING) found.push(`${name(words)} is beyond the screen`);
    return { left, top, right, bottom };
  };

  const expectInItsBox = (words: string, element: Element, seen: Edges) => {
    const box = ancestorsOf(element).find(hasEdges);
    if (!box || element.closest("legend")) return;
    const { left, top, right, bottom } = box.getBoundingClientRect();
    const isOut =
      seen.left < left - ROUNDING ||
      seen.right > right + ROUNDING ||
      seen.top < top - ROUNDING ||
      seen.bottom > bottom + ROUNDING;
    if (isOut) found.push(`${name(words)} leaves its box ${place(box)}`);
  };

  const readLines = (): Line[] => {
    const lines: Line[] = [];
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const element = text.parentElement;
      if (!element || !text.data.trim() || element.closest("script, style, noscript, svg, option, textarea")) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const isFixed = ancestorsOf(element).some((each) => /fixed|sticky/.test(styleOf(each).position));
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        if (rect.width < 2 || rect.height < 2) continue;
        const seen = seenPart(text.data, element, rect);
        if (!seen) continue;
        expectInItsBox(text.data, element, seen);
        const top = seen.top + scrollY;
        lines.push({ ...seen, top, bottom: seen.bottom + scrollY, element, words: text.data, isFixed });
      }
    }
    return lines;
  };

  const findCrossed = (lines: readonly Line[]) => {
    const sorted = lines.filter(({ isFixed }) => !isFixed).toSorted((a, b) => a.top - b.top);
    for (const [at, line] of sorted.entries())
      for (let next = at + 1; next < sorted.length; next += 1) {
        const other = sorted[next];
        if (!other || other.top >= line.bottom - ROUNDING) break;
        // Of a text with "…", Chromium reports its box with and without it.
        if (other.element === line.element) continue;
        const shared = Math.min(line.right, other.right) - Math.max(line.left, other.left);
        if (shared > 2) found.push(`${name(line.words)} and ${name(other.words)} lie over each other`);
      }
  };

  /** What paints at a point above the text, or the picture right below it. */
  const findCover = (element: Element, x: number, y: number): string | null => {
    const stack = document.elementsFromPoint(x, y);
    // Where "…" stands for the rest of a text, only what holds the text is there.
    const at = stack.findIndex((each) => element.contains(each) || each.contains(element));
    const cover = stack.slice(0, at).find((each) => isOpaque(each) && !each.closest(".toast"));
    if (cover) return `is under ${place(cover)}`;
    const ground = stack.slice(at).find(isOpaque);
    return ground && isPicture(ground) ? `stands on ${place(ground)}` : null;
  };

  const findCovered = (lines: readonly Line[]) => {
    // What keeps its place comes first, before the page is scrolled.
    const sorted = lines.toSorted((a, b) => Number(b.isFixed) - Number(a.isFixed));
    for (const { element, words, isFixed, left, top, right, bottom } of sorted) {
      const middle = (top + bottom) / 2;
      const share = (middle - scrollY) / innerHeight;
      if (!isFixed && (share < MIDDLE.top || share > MIDDLE.bottom))
        scrollTo({ top: middle - innerHeight * MIDDLE.top, behavior: "instant" });
      const y = isFixed ? middle : middle - scrollY;
      const points = [left + 1, (left + right) / 2, right - 1].filter((x) => x > 0 && x < innerWidth);
      const cover = points.map((x) => findCover(element, x, y)).find((each) => each !== null);
      if (cover && y > 0 && y < innerHeight) found.push(`${name(words)} ${cover}`);
    }
  };

  /** Hints and choices are no text nodes: they are measured. */
  const findCutHints = () => {
    const context = document.createElement("canvas").getContext("2d");
    for (const field of root.querySelectorAll<HTMLElement>("input:placeholder-shown, select")) {
      if (!context || !field.checkVisibility({ visibilityProperty: true })) continue;
      const style = getComputedStyle(field);
      if (style.textOverflow === "ellipsis") continue;
      const words =
        field instanceof HTMLSelectElement ? field.selectedOptions[0]?.label : field.getAttribute("placeholder");
      context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const needed = context.measureText(words ?? "").width;
      if (needed > room + 2 * ROUNDING)
        found.push(`${name(words ?? "")} is cut off in its field: ${Math.round(needed)} of ${Math.round(room)} px`);
    }
  };

  // What lets taps through is in no list of what is at a point.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { pointer-events: auto !important; content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(sheet);
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 0) found.push(`the page scrolls sideways by ${wider} px`);
  const before = scrollY;
  // What sticks to an edge leaves it at the end of the page.
  scrollTo({ top: 0, behavior: "instant" });
  const lines = readLines();
  findCrossed(lines);
  findCovered(lines);
  findCutHints();
  scrollTo({ top: before, behavior: "instant" });
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  return [...new Set(found)];
}

/** Runs in the page: unfolds what is folded, so that it can be looked at, too. Returns whether anything was. */
export function unfoldAll(): boolean {
  const folded = document.querySelectorAll<HTMLDetailsElement>("details:not([open])");
  for (const each of folded) each.open = true;
  return folded.length > 0;
}
