import { describe, expect, test } from "vitest";
import { type CheckoutValues, readCheckoutValues, refuseCheckout } from "#app/payments/collect/checkout-form.ts";
import { payoutLog, summarizePayout } from "#app/payments/transfers/payout-summary.ts";

const pickup: CheckoutValues = {
  option: "pickup",
  pickupConfirmed: true,
  address: "",
  instructions: "",
  phone: "0712 345 678",
  remember: false,
};
const delivery: CheckoutValues = {
  ...pickup,
  option: "delivery",
  pickupConfirmed: false,
  address: "Hostel 5, Room 12",
};
const paid = { free: false };

describe("the checkout form", () => {
  test("passes when everything it needs is there", () => {
    expect(refuseCheckout(pickup, paid)).toEqual({});
    expect(refuseCheckout(delivery, paid)).toEqual({});
  });

  test("needs a pickup to be confirmed", () => {
    expect(refuseCheckout({ ...pickup, pickupConfirmed: false }, paid)).toEqual({
      pickupConfirmed: expect.stringContaining("Please confirm pickup arrangements: tick "),
    });
  });

  test("needs an address for a delivery, and takes no blanks for one", () => {
    expect(refuseCheckout({ ...delivery, address: " \n " }, paid)).toEqual({
      address: "Please provide a delivery address",
    });
  });

  test("needs a phone, and one that M-Pesa can know", () => {
    expect(refuseCheckout({ ...pickup, phone: "  " }, paid)).toEqual({ phone: "Please enter a phone number" });
    expect(refuseCheckout({ ...pickup, phone: "0812345678" }, paid)).toEqual({
      phone: "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX",
    });
  });

  test("needs no phone for what is free", () => {
    expect(refuseCheckout({ ...pickup, phone: "" }, { free: true })).toEqual({});
    expect(refuseCheckout({ ...pickup, phone: "", pickupConfirmed: false }, { free: true })).toHaveProperty(
      "pickupConfirmed",
    );
  });

  test("names every field that stands in the way, in the order of the page", () => {
    expect(Object.keys(refuseCheckout({ ...delivery, address: "", phone: "" }, paid))).toEqual(["address", "phone"]);
  });

  test("is read as it was filled in", () => {
    const form = new FormData();
    expect(readCheckoutValues(form)).toEqual({
      option: "pickup",
      pickupConfirmed: false,
      address: "",
      instructions: "",
      phone: "",
      remember: false,
    });
    for (const [name, value] of [
      ["option", "delivery"],
      ["address", "Hostel 5"],
      ["instructions", "Call me"],
      ["phone", "0712"],
      ["remember", "on"],
    ] as const)
      form.set(name, value);
    expect(readCheckoutValues(form)).toEqual({
      option: "delivery",
      pickupConfirmed: false,
      address: "Hostel 5",
      instructions: "Call me",
      phone: "0712",
      remember: true,
    });
  });
});

describe("the log of a payout", () => {
  const due = {
    state: "due",
    amount: 1_500,
    providerConversationId: null,
    receipt: null,
    resultCode: null,
    resultDesc: null,
    waitReason: null,
    waitDetail: null,
    sendCount: 0,
    lookupCount: 0,
    createdAt: 1_000,
    sentAt: null,
    doneAt: null,
    updatedAt: 1_000,
  } as const;

  test("begins with its creation", () => {
    expect(payoutLog(due).map(({ text }) => text)).toEqual(["Payout of KES 1500 created", "State: due"]);
  });

  test("tells what happened in order and ends with the state", () => {
    const lines = payoutLog({
      ...due,
      state: "done",
      sendCount: 1,
      sentAt: 2_000,
      doneAt: 4_000,
      updatedAt: 4_000,
      receipt: "UKL0DUGG48",
      resultCode: "0",
    });
    expect(lines.map(({ text }) => text)).toEqual([
      "Payout of KES 1500 created",
      "Sent to M-Pesa",
      "Paid, M-Pesa receipt UKL0DUGG48",
      "State: done",
    ]);
    expect(lines.map(({ at }) => at)).toEqual([1_000, 2_000, 4_000, 4_000]);
  });

  test("keeps to its last five lines", () => {
    const lines = payoutLog({
      ...due,
      state: "parked",
      sendCount: 2,
      sentAt: 2_000,
      lookupCount: 3,
      updatedAt: 5_000,
      providerConversationId: "AG_1",
      resultCode: "2040",
      resultDesc: "not registered",
      waitReason: "not_registered",
      waitDetail: "The receiver is not registered",
    });
    expect(lines).toHaveLength(5);
    expect(lines.map(({ text }) => text)).toEqual([
      "B2C Payment initiated! Transaction ID: AG_1",
      "Looked up 3 times",
      "Result 2040: not registered",
      "Your phone number isn't registered for M-Pesa.",
      "State: parked",
    ]);
  });

  test("is read by its seller without what M-Pesa answered, and says why it failed only once it has", () => {
    const payout = { ...due, id: "p1", share: 900, items: 2, numberHeldUntil: null, waitReason: "no_phone" } as const;
    expect(summarizePayout(payout)).toEqual({
      state: "due",
      share: 900,
      amount: 1_500,
      items: 2,
      receipt: null,
      doneAt: null,
      badge: { tone: "orange", label: "Due" },
      sentence: "Your payout waits. We send it as soon as we can.",
      reason: "Seller phone number not found in profile",
      failed: null,
    });
    expect(summarizePayout({ ...payout, state: "parked" }).failed).toBe("Seller phone number not found in profile");
    expect(summarizePayout({ ...payout, state: "parked", waitReason: "our_float" }).failed).toBe(
      "B2C Failed: We are topping up our M-Pesa account.",
    );
    // Our team sends it by hand, which is no failure.
    expect(summarizePayout({ ...payout, state: "parked", waitReason: "sending_by_hand" })).toMatchObject({
      reason: "We're sending you this money by hand. You don't need to do anything.",
      failed: null,
    });
  });
});
