/** Resources as aapt compiles and prints them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as android from '@utf8/mutf8/android';
import { type Command, inFolder, run as runCommand } from '../../src/program.js';
import { findFramework } from './tools.js';

/** Runs a program whose output is UTF-8. */
const run = (...command: Command): Buffer => runCommand(command, { env: { LC_ALL: 'C.UTF-8' } });

/** An app's sources: contents by path. */
export type Sources = Readonly<Record<string, string>>;

/** Program that creates an APK, and the encoding of its pools. */
export type Maker = 'aapt, UTF-16' | 'aapt, UTF-8' | 'aapt2, UTF-8';

export const makers: readonly Maker[] = ['aapt, UTF-16', 'aapt, UTF-8', 'aapt2, UTF-8'];

/**
 * Makes an APK.
 *
 * @param output - Its path.
 * @param folder - An empty one.
 */
export function makeApk(maker: Maker, sources: Sources, output: string, folder: string): void {
  for (const [file, text] of Object.entries(sources)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const manifest = path.join(folder, 'AndroidManifest.xml');
  const res = path.join(folder, 'res');
  if (maker === 'aapt2, UTF-8') {
    const compiled = path.join(folder, 'compiled.zip');
    run('aapt2', 'compile', '--dir', res, '-o', compiled);
    run('aapt2', 'link', '-o', output, '-I', findFramework(), '--manifest', manifest, compiled);
    return;
  }
  // aapt writes UTF-8 for apps that need Android 2.2 (API level 8) or newer.
  const version = maker === 'aapt, UTF-8' ? ['--min-sdk-version', '21'] : ['--utf16'];
  const options = ['-M', manifest, '-S', res, '-I', findFramework(), '-F', output];
  run('aapt', 'package', '-f', ...version, ...options);
}

/** Takes one file out of an APK, by another reader of archives. */
export const extract = (apk: string, entry: string): Buffer => run('unzip', '-p', apk, entry);

/** Decodes the output of aapt, which contains the bytes of the pools unchanged: pairs have six bytes or four. */
const decode = (output: Buffer): string => android.decode(output);

/** The strings of a pool, by `aapt dump strings` or `aapt dump xmlstrings`. */
export function listStrings(apk: string, entry?: string): string[] {
  const what = entry === undefined ? ['strings', apk] : ['xmlstrings', apk, entry];
  const text = decode(run('aapt', 'dump', ...what));
  const [, ...strings] = text.split(/^String #\d+: /m);
  return strings.map((string) => string.slice(0, -1));
}

/**
 * The values of an APK's table that are strings, by `aapt dump --values resources`, sorted:
 *
 *     <identifier> <package>:<type>/<name> <configuration> <item> <text as JSON>
 */
export function listValues(apk: string): string[] {
  const values: string[] = [];
  let configuration = '';
  let resource = '';
  for (const line of decode(run('aapt', 'dump', '--values', 'resources', apk)).split('\n')) {
    const head = /^ {6}config (.*):$/.exec(line);
    if (head) configuration = head[1] === '(default)' ? '' : (head[1] as string);
    const name = /^ {8}resource 0x(\w+) ([^ ]+): /.exec(line);
    if (name) resource = `${name[1]} ${name[2]}`;
    const value = /^ {10}(?:#\d+ \(Key=0x(\w+)\): )?\(string(?:8|16)\) "(.*)"$/.exec(line);
    if (!value) continue;
    const text = unquote(value[2] as string);
    values.push([resource, configuration, value[1] ?? '', JSON.stringify(text)].join(' '));
  }
  return values.sort();
}

const unquote = (text: string): string =>
  text.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));

/**
 * Lists the elements in the output of `aapt dump xmltree`, and their attributes that are strings, line by
 * line:
 *
 *     E: <element> <line>
 *     A: <attribute> <text>
 */
export function listTree(apk: string, entry: string): string[] {
  const found: string[] = [];
  for (const line of decode(run('aapt', 'dump', 'xmltree', apk, entry)).split('\n')) {
    const element = /^ *E: (\S+) \(line=(\d+)\)$/.exec(line);
    if (element) found.push(`E: ${element[1]} ${element[2]}`);
    const attribute = /^ *A: ([\w:]+)(?:\(0x\w+\))?="(.*)" \(Raw: "(.*)"\)$/.exec(line);
    if (attribute)
      found.push(`A: ${attribute[1]?.replace(/^\w+:/, '')} ${unquote(attribute[3] as string)}`);
  }
  return found;
}

/** Makes an APK for the time of an action. */
export function withApk<T>(maker: Maker, sources: Sources, action: (apk: string) => T): T {
  return inFolder((folder) => {
    const apk = path.join(folder, 'app.apk');
    makeApk(maker, sources, apk, path.join(folder, 'app'));
    return action(apk);
  });
}
