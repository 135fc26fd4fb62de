/** The decoders of the platform that the tests run on, as a peer without a process of its own. */
import { type Answer, formatUnits } from './answer.js';
import { createLocalPeer } from './local-peer.js';
import type { Peer } from './peer.js';

const fatal = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

const operations: Readonly<Record<string, Answer>> = {
  'utf8.decode': (bytes) => {
    try {
      return `ok ${formatUnits(fatal.decode(bytes))}`;
    } catch {
      return 'fault - -';
    }
  },
  'utf8.replace': (bytes) => `ok ${formatUnits(lossy.decode(bytes))}`,
  'utf8.buffer': (bytes) => `ok ${formatUnits(Buffer.from(bytes).toString('utf8'))}`,
};

export const node: Peer = createLocalPeer('node', `Node ${process.versions.node}`, operations);
