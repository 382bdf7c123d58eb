import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { FEED } from "#scripts/chunks.ts";
import { localBuild } from "#scripts/places.ts";

/**
 * Budgets for a first visit to the feed until it works, in bytes after gzip. React 19.2 (its successor weighs 8.5 kB
 * more, for transitions that we don't use) and React Router are 98 kB of the script. Raise a number only with a reason.
 */
const MOST = { script: 113_000, style: 20_000, font: 25_000 };

/** React Router lays a route's part in the browser's data loading apart from its screen. */
const Part = z.string().nullish();
const Files = z.object({
  module: z.string(),
  clientLoaderModule: Part,
  clientActionModule: Part,
  clientMiddlewareModule: Part,
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
});
const Manifest = z.object({ entry: Files, routes: z.record(z.string(), Files) });

/** Measures a first visit to the feed of the local build against its budget. */
export function findWeightFaults(): string[] {
  const client = join(localBuild, "client");
  const [manifest] = globSync("assets/manifest-*.js", { cwd: client });
  if (manifest === undefined) return ["The build holds no manifest."];
  const { entry, routes } = Manifest.parse(
    JSON.parse(
      readFileSync(join(client, manifest), "utf8")
        .replace(/^[^{]*/, "")
        .replace(/;\s*$/, ""),
    ),
  );
  const parts = [entry, ...FEED.map((id) => routes[id])];
  if (parts.includes(undefined)) return ["A route of the feed has another name now: scripts/chunks.ts."];
  const named = (kind: "css" | "imports") => parts.flatMap((part) => part?.[kind] ?? []);
  const weighed = {
    script: weigh(client, [...parts.flatMap((part) => modulesOf(part)), ...named("imports")]),
    style: weigh(client, named("css")),
    font: weigh(client, globSync("fonts/*.woff2", { cwd: client })),
  };
  return (["script", "style", "font"] as const)
    .filter((kind) => weighed[kind] > MOST[kind] || weighed[kind] === 0)
    .map((kind) => `The feed's ${kind} weighs ${weighed[kind]} bytes after gzip; at most ${MOST[kind]} are allowed.`);
}

function modulesOf(part: z.infer<typeof Files> | undefined): string[] {
  return [part?.module, part?.clientLoaderModule, part?.clientActionModule, part?.clientMiddlewareModule].filter(
    (path) => typeof path === "string",
  );
}

function weigh(folder: string, paths: string[]): number {
  const files = new Set(paths.map((path) => join(folder, path.replace(/#$/, ""))));
  return [...files].reduce((bytes, path) => bytes + gzipSync(readFileSync(path)).length, 0);
}
