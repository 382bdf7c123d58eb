import { type BusinessHours, noHours, readHours, type Weekday, writeHours } from "./hours-rules.ts";

/** Maximum lengths of the shop settings, in characters. */
export const SHOP_MAX = {
  shopName: 60,
  description: 1000,
  hoursText: 300,
  policies: 1500,
  preferredContact: 160,
} as const;

export const SHOP_TEXTS = {
  name: "Shop name is required",
  saved: "Shop saved",
  opened: "Your shop is open",
  failed: "Failed to update shop. Please try again.",
  /** The hours and the banner have no text to show beside the own one. */
  hoursChanged: "The hours were changed meanwhile, too. Save again to keep the hours that you see here.",
  logoChanged: "The logo was changed meanwhile, too. Save again to keep the one that you see here.",
  bannerChanged: "The banner was changed meanwhile, too. Save again to keep the one that you see here.",
  photo: "We no longer have that photo. Please choose it again.",
} as const;

export const HOLIDAY_TEXTS = {
  begun: "Saved. Buyers now see that you're on holiday.",
  ended: "Welcome back! Buyers can order from you again.",
  noShop: "Save your shop first",
} as const;

export type HoursKind = BusinessHours["kind"];

/** The settings as a form holds them. */
export interface ShopValues {
  shopName: string;
  description: string;
  hoursKind: HoursKind;
  /** "HH:MM", or empty. A day without a tick is closed. */
  days: Record<Weekday, { open: boolean; from: string; to: string }>;
  hoursText: string;
  policies: string;
  offersDelivery: boolean;
  preferredContact: string;
  /** The keys of the banner's and the logo's photos; empty for none. */
  banner: string;
  logo: string;
}

export type ShopErrors = Partial<Record<string, string>>;

/** The values that the settings save. */
export interface ShopDetails {
  shopName: string;
  description: string | null;
  businessHours: string | null;
  policies: string | null;
  offersDelivery: boolean;
  preferredContact: string | null;
  banner: string | null;
  logo: string | null;
}

/** The first hours that the editor offers for a day without any. */
const USUAL = { from: "08:00", to: "18:00" };

/** The form's values for a stored shop. `shop` is null before the first save. `photos`: their keys; empty for none. */
export function shopValues(
  shop: Partial<Omit<ShopDetails, "banner" | "logo">> | null,
  photos = { banner: "", logo: "" },
): ShopValues {
  const hours = readHours(shop?.businessHours ?? null);
  const week = hours.kind === "week" ? hours.week : noHours();
  return {
    shopName: shop?.shopName ?? "",
    description: shop?.description ?? "",
    hoursKind: hours.kind,
    days: mapDays((day) => ({ open: week[day] !== null, ...(week[day] ?? USUAL) })),
    hoursText: hours.kind === "text" ? hours.text : "",
    policies: shop?.policies ?? "",
    offersDelivery: shop?.offersDelivery ?? false,
    preferredContact: shop?.preferredContact ?? "",
    ...photos,
  };
}

/**
 * The values of a submitted form. Long texts are cut to the maximum lengths, as its fields do. A field counts a line
 * break once, but the browser sends two characters for it.
 */
export function readShopForm(form: FormData): ShopValues {
  const text = (name: string, max: number) =>
    String(form.get(name) ?? "")
      .replaceAll("\r\n", "\n")
      .slice(0, max);
  const kind = form.get("hoursKind");
  return {
    shopName: text("shopName", SHOP_MAX.shopName),
    description: text("description", SHOP_MAX.description),
    hoursKind: kind === "week" || kind === "text" ? kind : "none",
    days: mapDays((day) => ({ open: form.has(`open${day}`), from: text(`from${day}`, 5), to: text(`to${day}`, 5) })),
    hoursText: text("hoursText", SHOP_MAX.hoursText),
    policies: text("policies", SHOP_MAX.policies),
    offersDelivery: form.has("offersDelivery"),
    preferredContact: text("preferredContact", SHOP_MAX.preferredContact),
    banner: text("banner", 200),
    logo: text("logo", 200),
  };
}

/** The fields of the settings that are merged with a change made meanwhile. The hours are one. */
export function shopTexts(values: ShopValues) {
  return {
    shopName: values.shopName.trim(),
    description: values.description.trim(),
    hoursKind: writeHours(hoursOf(values)) ?? "",
    policies: values.policies.trim(),
    offersDelivery: values.offersDelivery ? "on" : "",
    preferredContact: values.preferredContact.trim(),
    banner: values.banner,
    logo: values.logo,
  };
}

/** The settings to save, from merged texts. */
export function detailsOf(texts: ReturnType<typeof shopTexts>): ShopDetails {
  return {
    shopName: texts.shopName,
    description: orNull(texts.description),
    businessHours: orNull(texts.hoursKind),
    policies: orNull(texts.policies),
    offersDelivery: texts.offersDelivery === "on",
    preferredContact: orNull(texts.preferredContact),
    banner: orNull(texts.banner),
    logo: orNull(texts.logo),
  };
}

function hoursOf({ hoursKind, days, hoursText }: ShopValues): BusinessHours {
  if (hoursKind === "week")
    return {
      kind: "week",
      week: mapDays((day) => (days[day].open ? { from: days[day].from, to: days[day].to } : null)),
    };
  return hoursKind === "text" && hoursText.trim() !== "" ? { kind: "text", text: hoursText.trim() } : { kind: "none" };
}

function mapDays<T>(make: (day: Weekday) => T): Record<Weekday, T> {
  return {
    Mon: make("Mon"),
    Tue: make("Tue"),
    Wed: make("Wed"),
    Thu: make("Thu"),
    Fri: make("Fri"),
    Sat: make("Sat"),
    Sun: make("Sun"),
  };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
