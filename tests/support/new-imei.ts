import { isImei } from "#app/catalogue/serials/serial-rules.ts";

/** An IMEI that nothing else has. */
export function newImei(): string {
  const digits = Array.from({ length: 14 }, () => "123456789".charAt(Math.floor(Math.random() * 9))).join("");
  return `${digits}${Array.from({ length: 10 }, (_, check) => String(check)).find((check) => isImei(digits + check))}`;
}
