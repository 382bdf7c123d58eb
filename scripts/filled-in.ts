import { lineOf } from "#scripts/doctor/print.ts";
import {
  examineConfiguration,
  findMissingSecrets,
  NOT_LOGGED_IN,
  readSettings,
} from "#scripts/doctor/configuration.ts";
import { CommandError } from "#scripts/command.ts";
import { type Environment, otherThan } from "#scripts/environment.ts";
import { isLoggedIn, listSecrets } from "#scripts/wrangler.ts";

/**
 * Refuses to deploy what can't work: the configuration, no login, or a missing secret.
 * @throws CommandError with a line for each fault, and what to do
 */
export async function assertIsFilledIn(environment: Environment): Promise<void> {
  const settings = readSettings(environment);
  const faults = examineConfiguration(settings, readSettings(otherThan(environment))).filter(
    ({ state }) => state === "bad",
  );
  if (faults.length === 0) {
    const next = (await isLoggedIn())
      ? findMissingSecrets(settings, await listSecrets(environment).catch(() => null))
      : NOT_LOGGED_IN;
    if (next.state === "bad") faults.push(next);
  }
  if (faults.length > 0)
    throw new CommandError(
      `Nothing was deployed, because it could not work:\n${faults.map((fault) => lineOf(fault, environment)).join("\n")}`,
    );
}
