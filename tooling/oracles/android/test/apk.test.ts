/**
 * An APK made by aapt and D8: its content shows the source of each string.
 *
 * @module-tag night
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDex } from '@utf8/classfile/dex';
import { readResources } from '@utf8/classfile/resources';
import { expect, it } from 'vitest';
import { inFolder, run } from '../../src/program.js';
import { extract, makeApk } from '../src/aapt.js';
import { app } from '../src/app.js';
import { compile, peers, translate } from '../src/tools.js';

const program = fileURLToPath(new URL('../../../../packages/cli/dist/utf8.js', import.meta.url));

it('an APK is read, code and resources', () => {
  inFolder((folder) => {
    const apk = path.join(folder, 'app.apk');
    makeApk('aapt2, UTF-8', app, apk, path.join(folder, 'app'));
    const source = path.join(folder, 'Everything.java');
    copyFileSync(path.join(peers, 'fixture', 'Everything.java'), source);
    const [dex] = translate(compile([source], path.join(folder, 'classes')), { minApi: 26 });
    writeFileSync(path.join(folder, 'classes.dex'), dex as Buffer);
    // aapt adds a file by the path that it is given.
    run(['aapt', 'add', 'app.apk', 'classes.dex'], { folder });

    const uses = [
      ...readDex(extract(apk, 'classes.dex')).uses({ kinds: ['literal', 'annotation'] }),
    ];
    const find = (text: string): (typeof uses)[number] | undefined =>
      uses.find(({ string }) => string.string === text);
    const failed = find('failed');
    expect(failed).toMatchObject({ kind: 'literal', className: 'Everything' });
    expect(failed?.member?.name).toBe('locals');
    const [line] = run(['grep', '-n', '"failed"', source]).toString().split(':');
    expect(failed?.line).toBe(Number(line));
    expect(find('constant é € 😀 \0')).toMatchObject({
      member: { type: 'field', name: 'CONSTANT', descriptor: 'Ljava/lang/String;' },
      line: undefined,
    });
    expect(find('\0 \ud83d \udc00')?.annotation).toEqual({
      type: 'LEverything$Marked;',
      path: 'nested.list[1].value',
    });

    const greetings = [...readResources(extract(apk, 'resources.arsc')).uses()]
      .filter(({ kind, resource }) => kind === 'value' && resource?.name === 'app_name')
      .map(({ resource, string }) => [resource?.configuration, string.string]);
    expect(greetings).toContainEqual(['', 'Hello 😀 é €']);
    expect(greetings).toContainEqual(['de-rAT', 'Hello de-rAT 😀 é €']);
    expect(greetings).toContainEqual(['b+sr+Latn', 'Hello b+sr+Latn 😀 é €']);

    const labels = [...readResources(extract(apk, 'AndroidManifest.xml')).uses()]
      .filter(({ kind, xml }) => kind === 'value' && xml?.element === 'activity')
      .map(({ xml, string }) => [xml?.attribute, string.string]);
    expect(labels).toContainEqual(['label', 'label é €']);

    // The command finds the same in the APK itself.
    const list = (...options: string[]): string[] =>
      run([process.execPath, program, 'strings', '--where', ...options, apk])
        .toString()
        .replaceAll(`${apk}!/`, '')
        .split('\n');
    expect(list('--kind=literal', '-e', '^failed$')).toEqual([
      expect.stringMatching(
        new RegExp(`^classes\\.dex#\\d+@\\d+\tliteral\tEverything\\.locals\\(.*:${line}\tfailed$`),
      ),
      '',
    ]);
    expect(list('--kind=value', '-e', '^Hello 😀')).toEqual([
      expect.stringMatching(
        /^resources\.arsc#\d+\/\d+@\d+\tvalue\t[\w.]+:string\/app_name\tHello 😀 é €$/,
      ),
      '',
    ]);
    expect(list('--kind=value', '-e', '^label é')).toContainEqual(
      expect.stringMatching(/^AndroidManifest\.xml#.*\tvalue\t<activity label>:\d+\tlabel é €$/),
    );
  });
});
