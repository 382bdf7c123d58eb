/** `npm run dev`: the app with hot reload, with the same data, sandbox and clock as `npm start`. */
import { spawn } from "node:child_process";
import { startLocalCron } from "#scripts/local-cron.ts";
import { runMain } from "#scripts/command.ts";
import { chosenPort, prepareLocalEnvironment, untilStopped, welcome } from "#scripts/local-environment.ts";
import { root, stateFolder } from "#scripts/folders.ts";
import { tellSandbox } from "#scripts/seed/earlier-payments.ts";
import { assertPortIsFree } from "#scripts/serve.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

await runMain(async () => {
  const port = chosenPort();
  const origin = `http://localhost:${port}`;
  await assertPortIsFree(port);
  await prepareLocalEnvironment((line) => console.log(line));
  console.log(welcome(origin));
  const vite = spawn("react-router", ["dev", "--port", String(port), "--strictPort"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, CHUONI_ORIGIN: origin },
  });
  // It waits until the app answers.
  void tellSandbox(stateFolder(), origin).catch((error: unknown) => console.error(error));
  const ended = new Promise<number>((done) => vite.on("exit", (code) => done(code ?? 0)));
  const stopCron = startLocalCron(origin, MINUTE_MS, (line) => console.error(line));
  const code = await Promise.race([ended, untilStopped()]);
  stopCron();
  vite.kill("SIGTERM");
  await ended;
  process.exit(code ?? 0);
});
