/** The same commit gets the same answer each time. `PROPERTY_SEED=7 npm test -- rules` tries other values. */
import * as fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env["PROPERTY_SEED"] ?? 1) });
