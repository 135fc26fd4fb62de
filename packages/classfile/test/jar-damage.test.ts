/** Archives with one changed byte: reading and rewriting the intact parts, and the reported errors. */
import { JarError, readJar, rewriteJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../../tooling/oracles/interop/src/tally.js';
import { useFolder } from './folder.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

const bytes = classOf('a class, a class, another class');
// Written down, since versions of zlib compress otherwise.
const dynamic = hex('3BF56FD73E060606DB4485E49CC4E2621D0504232FBF2423B508C20500');
const fixed = hex(
  '3BF56FD73E060606DB4485E49CC4E2621D854485E49CC4E2621D85C4BCFC928CD42285E49CC4E26200',
);
const uncompressed = Buffer.concat([hex('012700D8FF'), bytes]);
const inner = zip([{ name: 'Inner.class', bytes: classOf('inner'), method: 0 }]);
const items: readonly Item[] = [
  { name: 'META-INF/', method: 0 },
  { name: 'META-INF/MANIFEST.MF', bytes: Buffer.from('Manifest-Version: 1.0\r\n'), method: 0 },
  { name: 'A.class', bytes, data: dynamic },
  { name: 'B.class', bytes: classOf('stored'), method: 0 },
  { name: 'C.class', bytes, data: fixed, claims: { extra: hex('FECA0000'), flags: 0x800 } },
  { name: 'D.class', bytes, data: uncompressed },
  { name: 'inner.jar', bytes: inner, method: 0, claims: { localExtra: hex('FECA0000') } },
  { name: 'text.txt', bytes: Buffer.from('text'), method: 0 },
];

const archives: Readonly<Record<string, Buffer>> = {
  'an archive': zip(items, { comment: Buffer.from('PK comment') }),
  'an archive of zip64 behind a script': Buffer.concat([
    Buffer.from('#!/bin/sh\n'),
    zip(items.slice(2, 5), { isLarge: true }),
  ]),
};

/** Returns the result of an action, or its error, without paths of the machine. */
async function tell(action: () => Promise<string>): Promise<string> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof JarError)) throw error;
    return `${error.reason}: ${error.message.replaceAll(file('in.jar'), 'in.jar')}`;
  }
}

async function read(path: string): Promise<string> {
  const found: string[] = [];
  const onError = (error: JarError): void => void found.push(`(${error.reason})`);
  for await (const { path: entry, bytes: content } of readJar(path, { onError })) {
    found.push(`${entry} ${content.length}`);
  }
  return found.join(' ');
}

async function rewrite(path: string): Promise<string> {
  const output = file('out.jar');
  const report = await rewriteJar(path, output, ({ bytes: old }) =>
    Buffer.concat([old, Buffer.from('!')]),
  );
  return `${JSON.stringify(report)} ${await read(output)}`;
}

/** Tells what comes of an archive with each byte changed. */
async function damage(whole: Buffer, action: (path: string) => Promise<string>): Promise<unknown> {
  const answers = new Tally();
  for (let i = -1; i < whole.length; i++) {
    const changed = Buffer.from(whole);
    if (i >= 0) changed[i] = (changed[i] as number) ^ (i % 2 === 0 ? 0xff : 0x01);
    const answer = await tell(() => action(file('in.jar', changed)));
    const kind = answer.replaceAll(/"[^"]*"|\b[\dA-F]+\b/g, '#');
    answers.add(`${i}: ${answer}`, kind);
  }
  return answers.list(' from ');
}

describe.each(Object.entries(archives))('%s', (_, whole) => {
  it('is read as far as it can be', async () =>
    expect(await damage(whole, read)).toMatchSnapshot());

  it('is rewritten as far as it can be', { tags: ['slow'] }, async () =>
    expect(await damage(whole, rewrite)).toMatchSnapshot(),
  );
});

it('an archive of one class is rewritten as far as it can be', async () =>
  expect(await damage(zip([items[2] as Item]), rewrite)).toMatchSnapshot());
