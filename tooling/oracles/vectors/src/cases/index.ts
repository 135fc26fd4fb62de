import type { Case } from '../case.js';
import { malformed } from './malformed.js';
import { plain } from './plain.js';
import { profiles } from './profiles.js';
import { surrogates } from './surrogates.js';
import { deriveCases } from './systematic.js';

const described: readonly Case[] = [...plain, ...surrogates, ...malformed, ...profiles];

/** All cases, in the order in which they are published. */
export const cases: readonly Case[] = [...described, ...deriveCases(described)];
