import { type ComponentType, type FunctionComponent, lazy, type ReactNode } from "react";
import { PartMissing } from "./part-missing.tsx";

/**
 * A part of a screen with a script of its own, for what only some visits of the screen need. Render it within
 * `Suspense`. If its script can't be loaded, `missing` stands in its place: it says so and offers a reload.
 *
 * For the browser only. A render on the server that waited for an import could wait for another request's, and in
 * workerd such a request never ends. So the server imports the part with its module: `const Orders =
 * import.meta.env.SSR ? (await import("./orders.tsx")).Orders : lazyPart(async () => …)`.
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  missing: () => ReactNode = PartMissing,
): FunctionComponent<Props> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      return { default: missing };
    }
  }) as FunctionComponent<Props>; // lazy() says so with a type of its own
}
