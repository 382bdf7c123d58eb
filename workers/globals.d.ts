/** Set at build: false in the production build, so that nothing of the sandbox is left in it. */
declare const __SANDBOX__: boolean;
