import type { Issuer } from "#app/accounts/login/issuer.ts";

export const GOOGLE: Issuer = {
  key: "google",
  name: "Google",
  url: "https://accounts.google.com",
  clientId: "chuoni-client",
  domain: null,
  campus: null,
};
