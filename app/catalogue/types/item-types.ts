import { LEISURE } from "./data/leisure.ts";
import { LIVING } from "./data/living.ts";
import { STUDY } from "./data/study.ts";
import { TECH } from "./data/tech.ts";
import { WEAR } from "./data/wear.ts";
import type { ItemType } from "./item-type.ts";

/**
 * The kept table. It is in the code, so an upgrade brings new types; the database holds only what admins changed. It is
 * long, so no screen's script may load it.
 */
export const ITEM_TYPES: readonly ItemType[] = [...TECH, ...STUDY, ...WEAR, ...LIVING, ...LEISURE];
