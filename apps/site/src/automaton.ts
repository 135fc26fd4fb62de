/** The state machine of a grammar, as a drawing: a column for each number of bytes that are still to come. */
import { deriveAutomaton, type Grammar } from '@utf8/core';

const ACCEPT = 0;
const COLUMN = 190;
const LINE = 56;
const RADIUS = 15;

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly bytes: readonly number[];
}

export function drawAutomaton(grammar: Grammar): string {
  const edges = listEdges(grammar);
  const depths = measureDepths(edges);
  const most = Math.max(...depths.values());
  const columns = new Map<number, number[]>();
  for (const [state, depth] of depths) {
    const column = most - depth;
    if (state !== ACCEPT) columns.set(column, [...(columns.get(column) ?? []), state]);
  }
  const height = LINE * Math.max(1, ...Array.from(columns.values(), ({ length }) => length)) + LINE;
  const place = (state: number, isEnd: boolean): [x: number, y: number] => {
    if (state === ACCEPT) return [isEnd ? (most + 0.6) * COLUMN : 30, height / 2];
    const column = most - (depths.get(state) as number);
    const states = columns.get(column) as number[];
    const y = (height * (states.indexOf(state) + 1)) / (states.length + 1);
    return [(column + 0.8) * COLUMN, y];
  };
  const lines: string[] = [];
  const labels: string[] = [];
  for (const { from, to, bytes } of edges) {
    const [x1, y1] = place(from, false);
    const [x2, y2] = place(to, true);
    const isSelf = from === ACCEPT && to === ACCEPT;
    // One byte goes round the others.
    const bend = isSelf
      ? `Q ${(x1 + x2) / 2} ${-height / 3}`
      : `Q ${(x1 + x2) / 2} ${(y1 + y2) / 2}`;
    lines.push(`<path d="M ${x1} ${y1} ${bend} ${x2} ${y2}" marker-end="url(#arrow)"/>`);
    const [x, y] = isSelf ? [(x1 + x2) / 2, height / 2 - height / 3 - 10] : along(x1, y1, x2, y2);
    labels.push(
      `<text x="${Math.round(x)}" y="${Math.round(y)}" text-anchor="middle">${formatRanges(bytes)}</text>`,
    );
  }
  const states = [...depths.keys()].filter((state) => state !== ACCEPT);
  const circle = ([x, y]: [number, number], name: string): string =>
    `<circle cx="${x}" cy="${y}" r="${RADIUS}"/><text x="${x}" y="${y + 4}" text-anchor="middle">${name}</text>`;
  const circles = [
    circle(place(ACCEPT, false), '0'),
    circle(place(ACCEPT, true), '0'),
    ...states.map((state, i) => circle(place(state, false), String(i + 1))),
  ];
  const width = (most + 0.6) * COLUMN + 30;
  const title = `${states.length + 1} states. ${edges.length} transitions: ${edges
    .map(
      ({ from, to, bytes }) =>
        `${number(states, from)} to ${number(states, to)} by ${formatRanges(bytes)}`,
    )
    .join('; ')}.`;
  return [
    `<div class="automaton"><svg role="img" aria-label="${title}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="22" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M 0 0 L 8 4 L 0 8"/></marker></defs>',
    ...lines,
    ...circles,
    ...labels,
    '</svg></div>',
  ].join('');
}

const number = (states: readonly number[], state: number): number => states.indexOf(state) + 1;

const along = (x1: number, y1: number, x2: number, y2: number): [number, number] => [
  x1 + (x2 - x1) * 0.42,
  y1 + (y2 - y1) * 0.42 - 5,
];

function listEdges(grammar: Grammar): Edge[] {
  const { classes, transitions, reject } = deriveAutomaton(grammar);
  const edges = new Map<string, { from: number; to: number; bytes: number[] }>();
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

/** How many bytes are still to come, by state; for the start, as many as the longest character has. */
function measureDepths(edges: readonly Edge[]): Map<number, number> {
  const depths = new Map<number, number>();
  const measure = (state: number): number => {
    const known = depths.get(state);
    if (known !== undefined) return known;
    const next = edges.filter(({ from }) => from === state);
    const depth = 1 + Math.max(...next.map(({ to }) => (to === ACCEPT ? 0 : measure(to))));
    depths.set(state, depth);
    return depth;
  };
  for (const { to } of edges) if (to !== ACCEPT) measure(to);
  depths.set(ACCEPT, 1 + Math.max(0, ...depths.values()));
  return depths;
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
