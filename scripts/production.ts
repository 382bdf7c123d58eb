import { lineOf } from "#scripts/doctor/print.ts";
import {
  examineConfiguration,
  findMissingSecrets,
  NOT_LOGGED_IN,
  readDeployed,
} from "#scripts/doctor/configuration.ts";
import { CommandError } from "#scripts/command.ts";
import { type Environment, otherThan } from "#scripts/environment.ts";
import { isLoggedIn, listSecrets } from "#scripts/wrangler.ts";

/**
 * Refuses to deploy what can't work: the configuration, no login, or a missing secret.
 * @throws CommandError with a line for each fault, and what to do
 */
export async function assertIsFilledIn(environment: Environment): Promise<void> {
  const production = readDeployed(environment);
  const faults = examineConfiguration(production, readDeployed(otherThan(environment))).filter(
    ({ state }) => state === "bad",
  );
  if (faults.length === 0) {
    const next = (await isLoggedIn())
      ? findMissingSecrets(production, await listSecrets(environment).catch(() => null))
      : NOT_LOGGED_IN;
    if (next.state === "bad") faults.push(next);
  }
  if (faults.length > 0)
    throw new CommandError(`Nothing was deployed, because it could not work:\n${faults.map(lineOf).join("\n")}`);
}
