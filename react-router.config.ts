import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  buildDirectory: process.env.CLOUDFLARE_ENV === undefined ? "build" : "build-production",
} satisfies Config;
