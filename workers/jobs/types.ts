import { continueTypePass } from "#app/catalogue/types/type-passes.server.ts";
import type { Services } from "#app/request/services.ts";

/** Gives older listings their types after the table has changed. */
export async function runTypesJob(services: Services): Promise<void> {
  const changed = await continueTypePass(services);
  if (changed > 0) services.log({ event: "types_given", listings: changed });
}
