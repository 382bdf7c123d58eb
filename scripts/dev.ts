/** `npm run dev`: the app with hot reload, with the same data, sandbox and clock as `npm start`. */
import { spawn } from "node:child_process";
import { startClock } from "#scripts/clock.ts";
import { runMain } from "#scripts/command.ts";
import { chosenPort, prepareHome, untilStopped, welcome } from "#scripts/home.ts";
import { root } from "#scripts/places.ts";
import { assertPortIsFree } from "#scripts/serve.ts";

const MINUTE = 60_000;

await runMain(async () => {
  const port = chosenPort();
  const origin = `http://localhost:${port}`;
  await assertPortIsFree(port);
  await prepareHome((line) => console.log(line));
  console.log(welcome(origin));
  const vite = spawn("react-router", ["dev", "--port", String(port), "--strictPort"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, CHUONI_ORIGIN: origin },
  });
  const ended = new Promise<number>((done) => vite.on("exit", (code) => done(code ?? 0)));
  const stopClock = startClock(origin, MINUTE, (line) => console.error(line));
  const code = await Promise.race([ended, untilStopped()]);
  stopClock();
  vite.kill("SIGTERM");
  await ended;
  process.exit(code ?? 0);
});
