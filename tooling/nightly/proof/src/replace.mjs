// Preloaded by control.mjs: compiles another module instead of a published one.
import { readFileSync } from 'node:fs';

const { from, to } = JSON.parse(readFileSync(process.env.UTF8_CHANGE, 'utf8'));
const { Module } = WebAssembly;
WebAssembly.Module = class extends Module {
  constructor(bytes) {
    const isChanged = Buffer.from(bytes).toString('hex') === from;
    super(isChanged ? Buffer.from(to, 'hex') : bytes);
  }
};
