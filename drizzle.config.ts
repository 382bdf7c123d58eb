import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./app/*/tables.server.ts",
  out: process.env.CHUONI_MIGRATIONS ?? "./migrations",
  breakpoints: false,
});
