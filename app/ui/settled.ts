/** What a page fetches once it has settled, or when it first says something. */
export { registerWorker } from "./register-worker.ts";
export { Toaster } from "./toaster.tsx";
