// Preloaded by Node: every global that is not part of the language throws when it is used.

const refuse = (name) => () => {
  throw new Error(`${name} was touched`);
};

process.getBuiltinModule = refuse('process.getBuiltinModule');
for (const name of ['Buffer', 'TextDecoder', 'TextEncoder', 'WebAssembly']) {
  Object.defineProperty(globalThis, name, { get: refuse(name) });
}
