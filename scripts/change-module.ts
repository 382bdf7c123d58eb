import type { Plugin } from "vite";

interface Change {
  /** The plugin's name, which is also the file's in `scripts/`. */
  name: string;
  /** Finds the module by its id. */
  module: RegExp;
  /** Texts of the module and what stands there instead. Each must occur once. */
  changes: readonly (readonly [from: string, to: string])[];
  /** Added at the module's end. */
  addition?: string;
  /** The build's error where the module has moved or its code has changed. */
  mismatchError: string;
  /** Which build changes: the one for browsers, unless this names another. */
  environment?: "client" | "ssr";
}

/** A plugin that changes one module of a library in one build. It fails the build where it can't. */
export function changeModule({
  name,
  module,
  changes,
  addition = "",
  mismatchError,
  environment = "client",
}: Change): Plugin {
  let found = false;
  return {
    name,
    apply: "build",
    applyToEnvironment: ({ name: built }) => built === environment,
    transform(code, id) {
      if (!module.test(id)) return null;
      found = changes.every(([from]) => code.split(from).length === 2);
      return { code: changes.reduce((text, [from, to]) => text.replace(from, () => to), code) + addition, map: null };
    },
    buildEnd(error) {
      if (!error && !found) throw new Error(`${mismatchError}: scripts/${name}.ts.`);
    },
  };
}
