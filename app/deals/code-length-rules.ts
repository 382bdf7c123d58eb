/** The length of a hand-over code. Apart from its reading, which needs a table of letters that look alike. */
export const CODE_DIGITS = 6;
