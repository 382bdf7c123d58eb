/**
 * OWASP's scrypt parameters that fit an isolate of 128 MB: N = 2^14, r = 8, p = 5 (16 MB, about 150 ms of CPU). They
 * are stored with each hash, so that they can be raised later while old hashes still verify.
 */
export const PASSWORD_COST = { N: 16_384, r: 8, p: 5 };
