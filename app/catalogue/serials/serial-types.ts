import { type TypeTable, withNarrower } from "#app/catalogue/types/type-table.ts";

/** The types of things that are stolen and sold again, with those that they include. */
export const SERIAL_TYPES = ["phone", "laptop", "tablet"] as const;

/** Whether a listing of this type can say the serial number of its thing. */
export function hasSerial(type: string | null, table: TypeTable): boolean {
  return type !== null && SERIAL_TYPES.some((wide) => withNarrower(wide, table).includes(type));
}
