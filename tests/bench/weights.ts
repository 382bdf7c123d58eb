import { weighScreens } from "#scripts/weight.ts";
import { printLines } from "./table.ts";

/** Prints what each screen loads at first, in bytes after gzip. */
export function printWeights(): void {
  printLines([
    ["screen", "script", "files", "styles"],
    ...weighScreens().map(({ id, script, scriptFiles, style }) =>
      [id.replace("routes/", ""), script, scriptFiles, style].map(String),
    ),
  ]);
}
