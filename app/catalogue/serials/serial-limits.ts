/** Limits of the forms about serial numbers. Apart from the rules, because these need the types of things. */

/** How many serial numbers one person can ask about, and report, in a day. */
export const SERIALS_A_DAY = { asked: 5, reported: 3 } as const;

/** How many photos prove that it was somebody's: a receipt, the box, the police abstract. */
export const PROOF_PHOTOS_MAX = 3;
export const STOLEN_TEXT = { min: 10, max: 1_000 } as const;
