/** `npm run seed [-- --products N]`: fills the local database with the demo campus again, with as many products as asked for. */
import { parseArgs } from "node:util";
import { runMain, Trouble } from "#scripts/command.ts";
import { migrateLocalDatabase } from "#scripts/database.ts";
import { seedCampus } from "#scripts/seed/seed.ts";

await runMain(async () => {
  const { values } = parseArgs({ options: { products: { type: "string" } } });
  const products = values.products === undefined ? undefined : Number(values.products);
  if (products !== undefined && (!Number.isInteger(products) || products < 0)) throw new Trouble("--products takes a whole number.");
  await migrateLocalDatabase();
  await seedCampus(products === undefined ? {} : { products });
});
