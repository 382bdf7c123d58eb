import { alone } from "#scripts/alone.mjs";
import { CommandError } from "#scripts/command.ts";
import { hasProfiles, migrateLocalDatabase, patiently } from "#scripts/database.ts";
import { ensureSecrets } from "#scripts/secrets.ts";

/** Prepares the local environment: secrets, a migrated database and, if it is empty, the demo campus. */
export async function prepareLocalEnvironment(announce: (line: string) => void): Promise<void> {
  const prepare = async () => {
    ensureSecrets();
    await migrateLocalDatabase(announce);
    if (await hasProfiles()) return;
    announce("Seeding the demo campus …");
    const { seedCampus } = await import("#scripts/seed/seed.ts");
    await seedCampus();
  };
  await alone(() => patiently(prepare, announce), announce);
}

/** The port: `PORT`, or 8787. */
export function chosenPort(): number {
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CommandError(`PORT must be a number from 1 to 65535, not "${process.env.PORT}".`);
  return port;
}

/** Prints the addresses and the demo accounts. */
export function welcome(origin: string): string {
  return `
  Chuoni    ${origin}
  Phone     ${origin}/sandbox/phone     answers the M-Pesa prompts
  Mailbox   ${origin}/sandbox/mailbox   receives every email

  Log in    buyer@campus.test   seller@campus.test   pro@campus.test
            wholesaler@campus.test   admin@campus.test   newcomer@campus.test
  Password  campus-demo

  Stop with Ctrl-C.
`;
}

/** Waits for Ctrl-C or a signal to stop. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      // Miniflare also listens for it, and would exit at once with an error.
      process.removeAllListeners(signal);
      process.on(signal, () => stop());
    }
  });
}
