import type { PaymentServices } from "#app/payments/payment-services.ts";

/** The services of the use cases of deals. */
export interface DealServices extends PaymentServices {
  deals: DealSettings;
}

export interface DealSettings {
  /** How long a buyer can report a problem after delivery, in hours. 0 turns the inspection off. */
  inspectionHours: number;
  /** The key from which handover codes are derived. */
  codeKey: string;
}
