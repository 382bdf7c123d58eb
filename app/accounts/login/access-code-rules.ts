/**
 * The characters of access codes, without I, O, 0 and 1, which are easily confused. 32, so five bits of a random byte
 * choose one.
 */
export const ACCESS_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
