/** The state machine of a grammar, as a drawing. */
import type { Grammar } from '@utf8/core';
import { type Automaton, deriveAutomaton } from '@utf8/core/internal';
import { instance } from '@viz-js/viz';

const ACCEPT = 0;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly bytes: number[];
}

/**
 * Draws an automaton.
 *
 * @returns SVG, whose label describes the drawing in words.
 */
export async function drawAutomaton(grammar: Grammar): Promise<string> {
  const edges = listEdges(deriveAutomaton(grammar));
  const states = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const nameOf = (state: number): string => String(states.indexOf(state));
  const lines = edges.map(({ from, to, bytes }) => {
    // The start and the end are one state, and two in the drawing: characters go from left to right.
    const target = to === ACCEPT ? 'end' : nameOf(to);
    return `${nameOf(from)} -> ${target} [label="${formatRanges(bytes)}"]`;
  });
  const viz = await instance();
  const svg = viz.renderString(
    `digraph { rankdir=LR; ranksep=0.2; nodesep=0.2; bgcolor=transparent;
      node [shape=circle, fixedsize=true, width=0.35, fontsize=11]; edge [fontsize=11, arrowsize=0.6];
      end [label="0", shape=doublecircle]; ${lines.join('; ')} }`,
    { format: 'svg' },
  );
  const words = edges.map(
    ({ from, to, bytes }) => `${nameOf(from)} to ${nameOf(to)} by ${formatRanges(bytes)}`,
  );
  const label = `${states.length} states, ${edges.length} transitions: ${words.join('; ')}.`;
  const [, size = ''] = /<svg (width="[^"]*"\s+height="[^"]*"\s+viewBox="[^"]*")/.exec(svg) ?? [];
  const content = svg
    .slice(svg.indexOf('<g '), svg.lastIndexOf('</svg>'))
    // The colours are those of the page.
    .replace(/<title>.*?<\/title>|<!--.*?-->| (?:fill|stroke|font-family)="[^"]*"/gs, '')
    .replaceAll('\n', '');
  return `<div class="automaton" tabindex="0" role="region" aria-label="Automaton"><svg role="img" aria-label="${label}" ${size.replaceAll('\n', ' ')}>${content}</svg></div>`;
}

function listEdges({ classes, transitions, reject }: Automaton): Edge[] {
  const edges = new Map<string, Edge>();
  const seen = new Set([ACCEPT]);
  for (const from of seen) {
    for (let byte = 0; byte < 256; byte++) {
      const to = transitions[from + (classes[byte] as number)] as number;
      if (to === reject) continue;
      seen.add(to);
      const key = `${from} ${to}`;
      const edge = edges.get(key) ?? { from, to, bytes: [] };
      edge.bytes.push(byte);
      edges.set(key, edge);
    }
  }
  return [...edges.values()];
}

function formatRanges(bytes: readonly number[]): string {
  const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');
  const ranges: [number, number][] = [];
  for (const byte of bytes) {
    const range = ranges.at(-1);
    if (range && range[1] === byte - 1) range[1] = byte;
    else ranges.push([byte, byte]);
  }
  return ranges
    .map(([first, last]) => (first === last ? hex(first) : `${hex(first)}-${hex(last)}`))
    .join(' ');
}
