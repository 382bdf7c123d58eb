import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  buildDirectory: process.env.CLOUDFLARE_ENV === "production" ? "build-production" : "build",
} satisfies Config;
