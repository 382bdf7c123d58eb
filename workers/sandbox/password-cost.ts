/**
 * Stands for app/accounts/login/password-cost.ts in the local build and in the server tests, which hash passwords
 * hundreds of times. `npm test -- production` fails if a build for production has it.
 */
export const PASSWORD_COST = { N: 512, r: 8, p: 1 };
