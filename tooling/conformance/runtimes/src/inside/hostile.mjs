// Preloaded by Node: whatever a platform may have besides the language throws when it is touched.

const refuse = (name) => () => {
  throw new Error(`${name} was touched`);
};

process.getBuiltinModule = refuse('process.getBuiltinModule');
for (const name of ['Buffer', 'TextDecoder', 'TextEncoder', 'WebAssembly']) {
  Object.defineProperty(globalThis, name, { get: refuse(name) });
}
