import type { Options } from 'tsup';
import type { Plugin } from 'vitest/config';

export function listSources(): Map<string, string>;
export function bundleSources(filter?: RegExp): NonNullable<Options['esbuildPlugins']>[number];
export const addStopPoints: NonNullable<Options['esbuildPlugins']>[number];
export function resolveSources(): Plugin;
