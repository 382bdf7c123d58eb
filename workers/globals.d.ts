/** Set at build: false in the production build, so that nothing of the sandbox is left in it. */
declare const __SANDBOX__: boolean;

/** The bundler compiles these at build time, because workerd compiles no WebAssembly at run time. */
declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

/** Any file's bytes. */
declare module "*.bin" {
  const bytes: ArrayBuffer;
  export default bytes;
}
