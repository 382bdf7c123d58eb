/** Plans a seller can pay for: pure rules. */
import { DAY_MS } from "#app/platform/duration-rules.ts";

export type PlanId = "weekly_featured" | "biweekly_featured" | "monthly_premium";

export interface Plan {
  name: string;
  /** KES. */
  price: number;
  days: number;
  /** Whether it grants the Pro badge in addition to the first place. */
  pro: boolean;
  /** How long it lasts, in words. */
  length: string;
  features: readonly string[];
}

/** The three plans and what each of them includes. */
export const PLANS: Record<PlanId, Plan> = {
  weekly_featured: {
    name: "Weekly Featured Listing",
    price: 400,
    days: 7,
    pro: false,
    length: "7 days",
    features: [
      "Your shop comes first in Featured Shops on everyone's home page, with your newest listings",
      "A Featured badge on your shop and all your listings",
      "Featured shops take turns every hour, so each one is seen",
    ],
  },
  biweekly_featured: {
    name: "Bi-Weekly Featured Listing",
    price: 700,
    days: 14,
    pro: false,
    length: "14 days",
    features: ["Everything in the weekly plan, for two weeks", "Cheaper than two single weeks"],
  },
  monthly_premium: {
    name: "Monthly Premium Plan",
    price: 2500,
    days: 30,
    pro: true,
    length: "30 days",
    features: ["Everything in the weekly plan, for 30 days", "A Pro Seller badge on your profile and your shop"],
  },
};

/** Why somebody with nothing for sale can't pay for a plan: the days would pass with nothing to show. */
export const NO_LISTING_TEXT = "This plan starts when you pay, so post something for sale before you subscribe.";

export const PLAN_IDS = Object.keys(PLANS) as readonly PlanId[];

/** The plan with that id; undefined when there is none. */
export function readPlanId(text: unknown): PlanId | null {
  return PLAN_IDS.find((id) => id === text) ?? null;
}

/** How long a plan lasts, in ms. */
export function planLengthMs(plan: PlanId): number {
  return PLANS[plan].days * DAY_MS;
}

/**
 * When a plan that is paid at `now` starts and ends. It starts after a running one of its kind, which ends at
 * `current`. All in ms.
 */
export function planPeriod(plan: PlanId, current: number | null, now: number): { startsAt: number; endsAt: number } {
  const startsAt = Math.max(now, current ?? 0);
  return { startsAt, endsAt: startsAt + planLengthMs(plan) };
}

/** How long before a plan's end its owner is reminded, in ms. */
export const PLAN_REMINDER_MS = 2 * DAY_MS;

/** The price for the plan cards: "Kshs. 2,500". */
export function planPrice(plan: PlanId): string {
  return `Kshs. ${String(PLANS[plan].price).replace(/\B(?=(\d{3})+$)/g, ",")}`;
}
