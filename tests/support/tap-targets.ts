/** What a thumb can't hit for sure: links, buttons and fields that are smaller than 44 px, and near to another one. */

/**
 * Runs in the page: the targets that are too small, by what they say. As WCAG's 2.5.8 has it, with 44 px for its 24: a
 * target may be smaller if a circle of that size around its middle meets no other target and no such circle of another
 * small one, or if it is a link within a sentence. Its size is where a tap reaches it, so its label counts, and what
 * covers it doesn't.
 */
export function findSmallTargets(): string[] {
  const SIZE = 44;
  /** Borders and letters may end between two px. */
  const ROUNDING = 1;
  const TARGETS = "a[href], button, input, select, textarea, summary, [role=button], [role=slider], [tabindex='0']";
  const targetAt = (x: number, y: number): Element | null => {
    const hit = document.elementFromPoint(x, y)?.closest(`${TARGETS}, label`) ?? null;
    return hit instanceof HTMLLabelElement ? hit.control : hit;
  };
  const isInSentence = (element: Element) =>
    getComputedStyle(element).display === "inline" &&
    [...(element.parentElement?.childNodes ?? [])].some((node) => node.nodeType === 3 && node.textContent?.trim());
  /** How far from the middle in this direction a tap still reaches the target, in px. */
  const reach = (element: Element, x: number, y: number, stepX: number, stepY: number) => {
    let steps = 0;
    while (steps < SIZE && targetAt(x + stepX * (steps + 1), y + stepY * (steps + 1)) === element) steps += 1;
    return steps;
  };

  const small: { name: string; x: number; y: number }[] = [];
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(TARGETS)) {
    // Of a list of cards, the first ones.
    if (element.matches("article:nth-of-type(n + 7) *")) continue;
    const isUsable = element.checkVisibility({ opacityProperty: false, visibilityProperty: true });
    if (!isUsable || element.matches(":disabled, [tabindex='-1'], [type=hidden], .skip-link") || isInSentence(element))
      continue;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    // Of a link in several lines, the first.
    const [own] = element.getClientRects();
    if (!own) continue;
    // What assistive technology alone meets is a pixel large: its label is what a thumb meets.
    const label = own.width <= 1 && element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const box = label?.getBoundingClientRect() ?? own;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (box.width <= 1 || targetAt(x, y) !== element) continue;
    const half = SIZE / 2 - ROUNDING;
    const edges = [targetAt(x - half, y), targetAt(x + half, y), targetAt(x, y - half), targetAt(x, y + half)];
    if (edges.every((target) => target === element)) continue;
    const width = reach(element, x, y, 1, 0) + reach(element, x, y, -1, 0) + ROUNDING;
    const height = reach(element, x, y, 0, 1) + reach(element, x, y, 0, -1) + ROUNDING;
    if (width + ROUNDING >= SIZE && height + ROUNDING >= SIZE) continue;
    const words = (element.getAttribute("aria-label") ?? element.textContent).trim() || element.getAttribute("name");
    const name = `${words ?? element.tagName} (${element.className}), ${width} by ${height} px`;
    const around = Array.from({ length: 24 }, (_, at) => (at * Math.PI) / 12).map((angle) =>
      targetAt(x + half * Math.cos(angle), y + half * Math.sin(angle)),
    );
    const place = { name, x: x + scrollX, y: y + scrollY };
    const near = small.find((other) => Math.hypot(other.x - place.x, other.y - place.y) < SIZE - ROUNDING);
    const other = around.find((target) => target !== null && target !== element);
    if (near) found.push(`${name}, near ${near.name}`);
    else if (other) found.push(`${name}, beside ${other.textContent.trim().slice(0, 40) || other.tagName}`);
    small.push(place);
  }
  scrollTo(0, 0);
  return found;
}
