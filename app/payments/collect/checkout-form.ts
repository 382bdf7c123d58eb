import { readPhone } from "#app/accounts/profile/phone.ts";
import { type DeliveryChoice, refuseDelivery } from "#app/orders/order-rules.ts";

/** The checkout form's values, as typed. */
export interface CheckoutValues extends DeliveryChoice {
  phone: string;
  /** Keep the phone for the next payment. */
  remember: boolean;
}

/** The errors of the fields. The meeting's fields are optional, and belong to pickup. */
export type CheckoutErrors = Partial<
  Record<"pickupConfirmed" | "point" | "otherPlace" | "day" | "time" | "address" | "phone", string>
>;

/** Maximum lengths of the form's texts, in characters. */
export const ADDRESS_MAX_LENGTH = 300;
export const INSTRUCTIONS_MAX_LENGTH = 500;

/** The errors of the fields, in the order of the form; empty when there are none. A free order needs no phone. */
export function refuseCheckout(values: CheckoutValues, { free }: { free: boolean }): CheckoutErrors {
  const delivery = refuseDelivery(values);
  const phone = free ? null : readPhone(values.phone);
  return {
    ...(delivery && { [delivery.field]: delivery.error }),
    ...(phone && !phone.ok && { phone: phone.error }),
  };
}

/** Reads the form's fields in the browser, before they are sent. */
export function readCheckoutValues(form: FormData): CheckoutValues {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    option: text("option") === "delivery" ? "delivery" : "pickup",
    pickupConfirmed: form.has("pickupConfirmed"),
    address: text("address"),
    instructions: text("instructions"),
    phone: text("phone"),
    remember: form.has("remember"),
  };
}
