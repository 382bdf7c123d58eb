/** Stands for app/accounts/login/password-cost.ts in the server tests, which hash passwords hundreds of times. */
export const PASSWORD_COST = { N: 512, r: 8, p: 1 };
