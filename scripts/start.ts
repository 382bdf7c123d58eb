/** `npm start`: the production build in workerd on localhost, with the sandbox and the demo campus. */
import { ensureLocalBuild } from "#scripts/build.ts";
import { startLocalCron } from "#scripts/local-cron.ts";
import { runMain } from "#scripts/command.ts";
import { chosenPort, prepareLocalEnvironment, untilStopped, welcome } from "#scripts/local-environment.ts";
import { ensureSecrets } from "#scripts/secrets.ts";
import { assertPortIsFree, serveLocalBuild } from "#scripts/serve.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

await runMain(async () => {
  const port = chosenPort();
  await assertPortIsFree(port);
  ensureSecrets();
  await ensureLocalBuild((line) => console.log(line));
  await prepareLocalEnvironment((line) => console.log(line));
  const server = await serveLocalBuild({
    port,
    onLog: ({ level, message }) => {
      if (level === "error" || level === "warn") console.error(message);
    },
  });
  const stopCron = startLocalCron(server.origin, MINUTE_MS, (line) => console.error(line));
  console.log(welcome(server.origin));
  await untilStopped();
  stopCron();
  await server.stop();
  process.exit(0);
});
