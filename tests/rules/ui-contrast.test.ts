import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { brand } from "#app/ui/page/brand.ts";

const sheet = readFileSync("app/ui/styles/theme.css", "utf8");

/** The hexadecimal colours that one theme sets, by variable name. */
function coloursOf(selector: RegExp): Map<string, string> {
  const block = selector.exec(sheet)?.[1] ?? "";
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

const shared = coloursOf(/\}\s*:root \{([^}]*contrast[^}]*)\}/);
const themes = {
  light: coloursOf(/:root,\s*\.light \{([^}]*)\}/),
  dark: coloursOf(/\.dark \{([^}]*)\}/),
};

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG's contrast ratio, 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Where people type, choose or drop something: its style sheet, and its class. */
const FIELDS: [name: string, path: string, field: string][] = [
  ["a field", "app/ui/forms/field.css", ".text-field"],
  ["a text area", "app/ui/forms/field.css", ".text-area"],
  ["a file field", "app/ui/forms/file-field.css", ".file-field"],
  ["a slider's thumb", "app/ui/forms/range-slider.css", "-slider-thumb"],
  ["the tile that adds photos", "app/catalogue/photos/components/photo-field.css", ".photo-add__face"],
  ["the box of a message", "app/messaging/components/messaging.css", ".composer__box"],
];

/** The colours of the lines around a field, at rest, focused and refused. */
function linesOf(css: string, field: string): string[] {
  return [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)]
    .filter(([, selector = ""]) => selector.includes(field) && !/:hover|--over|:disabled/.test(selector))
    .flatMap(([, , block = ""]) => [
      ...block.matchAll(/(?:box-shadow: inset|border(?:-color)?:|outline(?:-color)?:)[^;]*var\((--[\w-]+)\)/g),
    ])
    .map(([, name = ""]) => name);
}

describe.each(["light", "dark"] as const)("%s theme", (theme) => {
  const colours = themes[theme];
  const page = brand.themeColour[theme];

  function colour(name: string): string {
    const found = colours.get(name) ?? shared.get(name);
    if (!found) throw new Error(`theme.css sets no ${name}`);
    return found;
  }

  /** The steps of a scale that the theme has. */
  const steps = (scale: string, among: number[]) => among.filter((step) => colours.has(`--${scale}-${step}`));

  test.each(["gray", "gold", "orange", "blue", "green", "red"])(
    "%s text reads on the page and on its own soft fills",
    (scale) => {
      const fills = steps(scale, [1, 2, 3, 4]);
      expect(fills).toContain(3);
      for (const text of [11, ...steps(scale, [12])]) {
        expect(contrast(colour(`--${scale}-${text}`), page)).toBeGreaterThanOrEqual(4.5);
        for (const fill of fills)
          expect(contrast(colour(`--${scale}-${text}`), colour(`--${scale}-${fill}`))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  test.each(["gold", "red"])("text on solid %s reads, at rest and under the pointer", (scale) => {
    expect(contrast(colour(`--${scale}-contrast`), colour(`--${scale}-9`))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colour(`--${scale}-contrast`), colour(`--${scale}-10`))).toBeGreaterThanOrEqual(4.5);
  });

  test("neutral text reads on every coloured fill that a callout or a chosen card has", () => {
    for (const scale of ["gray", "gold", "orange", "blue", "green", "red"]) {
      expect(contrast(colour("--gray-12"), colour(`--${scale}-3`))).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(colour("--gray-11"), colour("--gold-3"))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(FIELDS)(
    "the lines of %s stand out from the page and from what they enclose, focused and refused, too",
    (_name, path, field) => {
      const lines = linesOf(readFileSync(path, "utf8"), field);
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines)
        for (const ground of [page, colour("--gray-2")])
          expect(contrast(colour(line), ground)).toBeGreaterThanOrEqual(3);
    },
  );

  test("rings and marks stand out from the page", () => {
    expect(contrast(colour("--gray-9"), page)).toBeGreaterThanOrEqual(3);
    expect(contrast(colour("--gold-11"), page)).toBeGreaterThanOrEqual(3);
    expect(contrast(colour("--red-9"), page)).toBeGreaterThanOrEqual(3);
  });
});

test("gold's solid step is the brand's primary colour in both themes", () => {
  expect([themes.light.get("--gold-9"), themes.dark.get("--gold-9")]).toEqual(["#e7c65f", "#e7c65f"]);
});

test("the browser's chrome takes the page's colour in the dark", () => {
  expect(themes.dark.get("--gray-1")).toBe(brand.themeColour.dark);
});
