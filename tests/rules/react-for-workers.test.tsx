import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type ReactNode, Suspense, use } from "react";
import type { RenderToReadableStreamOptions } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Buffer as BunBuffer, ReadableStream as DirectStream } from "#app/document/direct-stream.server.ts";
import { BUN_GLOBALS, reactForWorkers } from "#scripts/react-for-workers.ts";

const resolve = createRequire(import.meta.url);
const EDGE = "node_modules/react-dom/cjs/react-dom-server.edge.production.js";
const BUN = "node_modules/react-dom/cjs/react-dom-server.bun.production.js";

interface ServerBuild {
  renderToReadableStream(
    page: ReactNode,
    options?: RenderToReadableStreamOptions,
  ): Promise<ReadableStream<Uint8Array> & { allReady: Promise<void> }>;
}

/** A file of React's as a module, with other globals in place of ours. */
function load(path: string, globals: Record<string, unknown> = {}): ServerBuild {
  const module = { exports: {} };
  const names = ["module", "exports", "require", ...Object.keys(globals)];
  const run = new Function(...names, readFileSync(path, "utf8"));
  run(module, module.exports, resolve, ...Object.values(globals));
  return module.exports as ServerBuild;
}

const edge = load(EDGE);
const bun = load(BUN, { ReadableStream: DirectStream, Buffer: BunBuffer });

interface Page {
  parts: Uint8Array[];
  errors: string[];
}

async function render(build: ServerBuild, page: ReactNode, options: RenderToReadableStreamOptions = {}): Promise<Page> {
  const errors: string[] = [];
  const stream = await build.renderToReadableStream(page, {
    onError: (error) => void errors.push(String(error)),
    ...options,
  });
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return { parts, errors };
}

function join({ parts }: Page): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
}

/** Suspends until so many ms have passed, once for each page. */
function Later({ wait, children }: { wait: Promise<unknown>; children: ReactNode }) {
  use(wait);
  return children;
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

function Broken(): never {
  throw new Error("It broke");
}

/** Pages as functions, because a promise in one is used once. */
const PAGES: Record<string, (wait: Promise<unknown>) => ReactNode> = {
  "texts and attributes that need escaping": () => (
    <html lang="en">
      <head>
        <title>{'Desk & "chair"'}</title>
        <link rel="preload" href="/a.css" as="style" />
      </head>
      <body className={"a<b>'"} style={{ color: "red", "--size": "1px" } as object}>
        {"one"}
        {"two"} {3}
        <input defaultValue="x" disabled />
        <div dangerouslySetInnerHTML={{ __html: "<b>é</b>" }} />
      </body>
    </html>
  ),
  "characters of two, three and four bytes, beyond what is encoded at once": () => (
    <ul>
      {Array.from({ length: 5000 }, (_, index) => (
        <li key={index} title={`é${index}`}>
          {"€".repeat(index % 7)}
          {"😀".repeat(index % 5)}
        </li>
      ))}
    </ul>
  ),
  "halves of surrogate pairs": () => (
    <p title={"\ud83d"}>
      {"a\ud83d"}
      {"\ude00b"}
    </p>
  ),
  "what suspends": (wait) => (
    <html lang="en">
      <body>
        <Suspense fallback={<p>Wait</p>}>
          <Later wait={wait}>
            <p>{"Late ✓".repeat(300)}</p>
          </Later>
        </Suspense>
        <Suspense fallback="Wait">
          <Later wait={wait}>second</Later>
        </Suspense>
      </body>
    </html>
  ),
  "large boundaries that are sent after the rest": () => (
    <div>
      {Array.from({ length: 6 }, (_, index) => (
        <Suspense key={index} fallback="Wait">
          <p>{"text ".repeat(2000)}</p>
        </Suspense>
      ))}
    </div>
  ),
  "a part that throws": () => (
    <div>
      <Suspense fallback="It failed">
        <Broken />
      </Suspense>
    </div>
  ),
};

describe("React's build for Bun on our streams sends the same bytes as its build for workers", () => {
  test.each(Object.entries(PAGES))("%s", async (_, page) => {
    for (const options of [{}, { nonce: "n1", bootstrapScriptContent: "go()" }]) {
      const [ours, theirs] = [
        await render(bun, page(sleep(20)), options),
        await render(edge, page(sleep(20)), options),
      ];
      expect(join(ours)).toBe(join(theirs));
      expect(ours.errors).toEqual(theirs.errors);
      expect(ours.parts.length).toBeLessThanOrEqual(theirs.parts.length);
    }
  });

  test("what was aborted", async () => {
    const page = () => PAGES["what suspends"]?.(new Promise(() => {}));
    const options = () => ({ signal: AbortSignal.timeout(20) });
    const [ours, theirs] = [await render(bun, page(), options()), await render(edge, page(), options())];
    expect(join(ours)).toBe(join(theirs));
    expect(ours.errors).toEqual(theirs.errors);
    expect(ours.errors).toHaveLength(2);
  });
});

test("a large boundary stays in its place where no chunk size moves it to the end", async () => {
  const page = () => PAGES["large boundaries that are sent after the rest"]?.(Promise.resolve());
  const [moved, kept] = [
    await render(bun, page()),
    await render(bun, page(), { progressiveChunkSize: Number.POSITIVE_INFINITY }),
  ];
  expect(join(moved)).toContain("<script");
  expect(join(kept)).not.toMatch(/<script|<template|Wait/);
});

test("what is ready is sent before what suspends", async () => {
  let open = () => {};
  const wait = new Promise<void>((done) => (open = done));
  const stream = await bun.renderToReadableStream(PAGES["what suspends"]?.(wait));
  const reader = stream.getReader();
  const first = await reader.read();
  expect(new TextDecoder().decode(first.value)).toContain("<p>Wait</p>");
  open();
  const second = await reader.read();
  expect(new TextDecoder().decode(second.value)).toContain("Late ✓");
});

test("a page that fails before its shell rejects", async () => {
  await expect(bun.renderToReadableStream(<Broken />, { onError: () => {} })).rejects.toThrow("It broke");
});

test("a reader that goes away stops the page", async () => {
  const reasons: string[] = [];
  const stream = await bun.renderToReadableStream(PAGES["what suspends"]?.(new Promise(() => {})), {
    onError: (error) => void reasons.push(String(error)),
  });
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel("gone");
  await stream.allReady.catch(() => {});
  expect(reasons).toEqual(["gone", "gone"]);
});

describe("the build step on React", () => {
  test("is still needed: React's build for workers encodes each text by itself", () => {
    // When this fails, see whether react-dom/server is as fast by now, and remove the step.
    expect(readFileSync(EDGE, "utf8")).toContain(
      "function stringToChunk(content) {\n  return textEncoder.encode(content);\n}",
    );
  });

  test("replaces every global of Bun that React's build for Bun uses", () => {
    const source = readFileSync(BUN, "utf8");
    for (const text of BUN_GLOBALS) expect(source.split(text)).toHaveLength(2);
    expect(source.match(/\bBuffer\b/g)).toHaveLength(1);
    // It hashes the state of forms whose actions are server functions (React Server Components). We have none.
    expect(source.match(/\bBun\b\.\w+/g)).toEqual(["Bun.hash", "Bun.hash"]);
  });

  test("fails where React's build for Bun is another one", () => {
    const { transform } = reactForWorkers() as { transform: (code: string, id: string) => { code: string } | null };
    const id = `/node_modules/${BUN}`;
    expect(transform(readFileSync(BUN, "utf8"), id)?.code).toMatch(/^const \{ ReadableStream, Buffer \} = require/);
    expect(transform("", "/app/root.tsx")).toBeNull();
    expect(() => transform("", id)).toThrow("no longer has");
  });
});
