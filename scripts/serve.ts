import { globSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import type { WorkerdStructuredLog } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { CommandError } from "#scripts/command.ts";
import { localBuild, root, stateFolder } from "#scripts/folders.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { tellSandbox } from "#scripts/seed/earlier-payments.ts";

export interface Served {
  /** Scheme, host and port. */
  origin: string;
  /** Stops workerd. Safe to call twice. */
  stop(): Promise<void>;
}

export interface ServeOptions {
  port: number;
  /** Called with each line that the workers log. */
  onLog: (log: WorkerdStructuredLog) => void;
  /** Where V8's inspector listens. Without it there is none. */
  inspectorPort?: number;
}

/**
 * Serves the local build in workerd: the app, its static files and the sandbox, as Cloudflare would run them.
 *
 * It uses Miniflare without Vite's preview server. So nothing is between the browser and workerd, the origin can change
 * between runs without a build, and leftovers of another build don't matter.
 * @throws CommandError if the port is taken
 */
export async function serveLocalBuild({ port, onLog, inspectorPort }: ServeOptions): Promise<Served> {
  await assertPortIsFree(port);
  const origin = `http://localhost:${port}`;
  const overrides = { ...ensureSecrets(), APP_ORIGIN: origin };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      port,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
      workers: [builtWorker("server", overrides), builtWorker("sandbox", { APP_ORIGIN: origin })],
      resourcePersistencePath: join(stateFolder(), "v3"),
      resourceTmpPath: join(root, ".wrangler", "tmp"),
      unsafeTriggerHandlers: true,
      telemetry: { enabled: false },
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: onLog,
    }),
  );
  await miniflare.ready;
  await tellSandbox(stateFolder(), origin);
  let stopping: Promise<void> | null = null;
  return { origin, stop: () => (stopping ??= miniflare.dispose()) };
}

/**
 * One worker of the build for Miniflare: its bindings come from the configuration next to it, its modules from its
 * folder.
 */
function builtWorker(folder: string, overrides: Record<string, string>) {
  const config = unstable_readConfig({ config: join(localBuild, folder, "wrangler.json") });
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions(config);
  const { modulesRules = [], bindings, ...options } = workerOptions;
  if (main === undefined || config.name === undefined) throw new CommandError(`build/${folder} holds no worker.`);
  const entry = basename(main);
  const others = modulesRules.flatMap(({ type, include }) =>
    globSync(include, { cwd: dirname(main) }).map((path) => ({ type, path })),
  );
  return {
    ...options,
    name: config.name,
    bindings: Object.assign({}, bindings, overrides),
    rootPath: dirname(main),
    modules: [{ type: "ESModule" as const, path: entry }, ...others.filter(({ path }) => path !== entry)],
  };
}

/** @throws CommandError if another program listens on the port */
export async function assertPortIsFree(port: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException | null>((done) => {
    const probe = createServer();
    probe.once("error", done);
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(null)));
  });
  if (error?.code === "EADDRINUSE")
    throw new CommandError(
      `Port ${port} is in use. Stop what runs there, or choose another: PORT=${port + 1} npm start`,
    );
  if (error) throw new CommandError(`Port ${port} cannot be used: ${error.message}`);
}
