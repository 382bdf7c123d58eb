import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A PATH may lack them. */
const USUAL_FOLDERS = ["/usr/bin", "/usr/local/bin", "/snap/bin"];

/** Where the system has a program of this name; null where it has none. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...USUAL_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
