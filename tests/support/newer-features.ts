/** What browsers have had only since a later version than our oldest, by MDN's data. */
import compatData from "@mdn/browser-compat-data" with { type: "json" };
import type { Identifier, SimpleSupportStatement, SupportStatement } from "@mdn/browser-compat-data";
import { OLDEST_BROWSERS } from "#scripts/browsers.ts";

const { chrome, firefox, safari } = OLDEST_BROWSERS;
const OLDEST = {
  chrome,
  chrome_android: chrome,
  firefox,
  firefox_android: firefox,
  safari,
  safari_ios: safari,
} as const;

/** Parts of a feature count as the feature, and so does a prefix of style rules, which the build adds. */
function isIn(statement: SupportStatement | undefined, oldest: string, prefixed: boolean): boolean {
  return [statement ?? []].flat().some((entry: SimpleSupportStatement) => {
    const { version_added: added, version_removed: removed, flags, prefix, alternative_name: other } = entry;
    if (typeof added !== "string" || added === "preview" || removed || flags || other) return false;
    if (prefix && !prefixed) return false;
    return Number.parseFloat(added.replace("≤", "")) <= Number.parseFloat(oldest);
  });
}

/** Whether one of our oldest browsers lacks it. Null for a heading of the data. */
function isNewer({ __compat }: Pick<Identifier, "__compat">, prefixed = false): boolean | null {
  if (!__compat) return null;
  return !Object.entries(OLDEST).every(([name, oldest]) =>
    isIn(__compat.support[name as keyof typeof OLDEST], oldest, prefixed),
  );
}

export interface Feature {
  /** "URL", for a property or method of it; "" for what is global. */
  owner: string;
  name: string;
  /**
   * It belongs to the class and not to its instances: Response.json, but not a response's json. Unknown for the
   * language's own.
   */
  isStatic?: boolean;
  /** Nothing that our oldest browsers have is called the same. */
  isUnique: boolean;
}

/** All of scripts: globals, and the properties and methods of what is global. */
export function listNewerFeatures(): Feature[] {
  const { api, javascript } = compatData;
  const owners = { ...api, ...javascript.builtins } as Record<string, Identifier>;
  const all = Object.entries(owners).flatMap(([owner, feature]) => [
    { owner: "", name: owner, isStatic: undefined, feature },
    ...Object.entries(feature)
      .filter(([name]) => name !== owner && !name.endsWith("_event"))
      .map(([name, part]) => ({
        owner: owner === "Window" ? "" : owner,
        name: name.replace(/_static$/, ""),
        isStatic: owner in api ? name.endsWith("_static") : undefined,
        feature: part as Identifier,
      })),
  ]);
  const known = new Set(all.filter(({ feature }) => isNewer(feature) === false).map(({ name }) => name));
  return all
    .filter(({ feature }) => isNewer(feature) === true)
    .map(({ owner, name, isStatic }) => ({ owner, name, isStatic, isUnique: !known.has(name) }));
}

/** The names of HTML attributes that no older element has. */
export function listNewerAttributes(): string[] {
  const { elements, global_attributes: everywhere } = compatData.html as Record<string, Identifier>;
  const all = [everywhere, ...Object.values(elements ?? {})].flatMap((of) => Object.entries((of ?? {}) as Identifier));
  const known = new Set(all.filter(([, part]) => isNewer(part as Identifier) === false).map(([name]) => name));
  const newer = all.filter(([, part]) => isNewer(part as Identifier) === true).map(([name]) => name);
  return [...new Set(newer)].filter((name) => !known.has(name));
}

/** The names of properties, pseudo-classes and at-rules of style sheets, but not of those that one engine alone has. */
export function listNewerStyles(): { properties: string[]; selectors: string[]; rules: string[] } {
  const newer = (parts: Identifier = {}) =>
    Object.keys(parts).filter((name) => !/^[_-]/.test(name) && isNewer(parts[name] ?? {}, true));
  const { properties, selectors, "at-rules": rules } = compatData.css as Record<string, Identifier>;
  return { properties: newer(properties), selectors: newer(selectors), rules: newer(rules) };
}

/** The first version of a browser that has a feature, by the feature's name in MDN's data: "css.selectors.has". */
export function firstVersionOf(name: string, browser: keyof typeof OLDEST_BROWSERS): number {
  const parts = name.split(".");
  const feature = parts.reduce<Identifier | undefined>((of, part) => of?.[part], compatData as unknown as Identifier);
  const [support] = [feature?.__compat?.support[browser] ?? []].flat();
  return Number.parseFloat(String(support?.version_added));
}
