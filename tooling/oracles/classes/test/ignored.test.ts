/** Attributes with any content anywhere: we accept what HotSpot accepts, including attributes that it ignores. */
import { expect, it } from 'vitest';
import { formatBytes } from '../../interop/src/answer.js';
import { assemble, attribute, type Bytes, u2 } from '../src/assemble.js';
import { useJvm } from '../src/jvm.js';
import { complain, constants, ignored, places } from '../src/place.js';

const jvm = await useJvm();

const names = [
  'AnnotationDefault',
  'BootstrapMethods',
  'Code',
  'ConstantValue',
  'EnclosingMethod',
  'Exceptions',
  'InnerClasses',
  'LineNumberTable',
  'LocalVariableTable',
  'LocalVariableTypeTable',
  'MethodParameters',
  'Module',
  'ModuleHashes',
  'ModuleMainClass',
  'ModulePackages',
  'ModuleTarget',
  'NestHost',
  'NestMembers',
  'PermittedSubclasses',
  'Record',
  'RuntimeInvisibleAnnotations',
  'RuntimeInvisibleParameterAnnotations',
  'RuntimeInvisibleTypeAnnotations',
  'RuntimeVisibleAnnotations',
  'RuntimeVisibleParameterAnnotations',
  'RuntimeVisibleTypeAnnotations',
  'Signature',
  'SourceFile',
];

/** Possible content of attributes: wrong counts and indices. */
const contents: readonly Bytes[] = [
  [],
  [0],
  u2(0),
  u2(1),
  u2(2),
  u2(0xffff),
  [...u2(1), 0],
  [...u2(1), ...u2(0)],
  [...u2(1), ...u2(1)],
  [...u2(1), ...u2(99)],
  new Array<number>(7).fill(0xff),
  [...u2(1), ...u2(1), ...new Array<number>(8).fill(0)],
  new Array<number>(40).fill(0),
];

/** Attributes that reflection rejects. */
const reflected = /the attribute "?(RuntimeVisible\w*Annotations|AnnotationDefault)\b/;

it.each(Object.entries(places))('what HotSpot takes is taken in %s', async (_, make) => {
  const refused: [complaint: string, file: Uint8Array][] = [];
  for (const major of [45, 48, 49, 52, 55, 61]) {
    for (const name of names) {
      for (const content of contents) {
        const parts = make(attribute(5, content));
        const file = assemble({ major, constants: constants(name), ...parts });
        const complaint = complain(file);
        if (complaint && !reflected.test(complaint)) refused.push([complaint, file]);
      }
    }
  }
  expect(refused.length).toBeGreaterThan(0);
  const answers = await jvm.ask(
    'define',
    refused.map(([, file]) => formatBytes(file)),
  );
  const taken = refused.filter((_, i) => answers[i]?.startsWith('ok'));
  expect(taken.map(([complaint]) => complaint)).toEqual([]);
});

it.each(ignored)('HotSpot takes %s', async (_, name, content, place) => {
  const file = assemble({ constants: constants(name), ...places[place]?.(attribute(5, content)) });
  expect(await jvm.ask('define', [formatBytes(file)])).toEqual(['ok 0041']);
});
