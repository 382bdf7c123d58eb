/** The length of a handover code. Apart from its reading, which needs a table of letters that look alike. */
export const CODE_DIGITS = 6;
