/** The screens at which everything is looked at, in CSS px. */
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 800 };
export type Size = typeof PHONE;
