/** Writes the entry of a kernel's module in AssemblyScript, which combines the files of `assembly/`. */
import type { KernelPlan, ValidatorPlan } from './kernel-plan.js';

const SURROGATES = {
  forbidden: 'UNMARKED',
  allowed: 'UNMARKED',
  paired: 'PAIRED',
  unpaired: 'UNPAIRED',
};

/** Writes the entry of a plan: AssemblyScript that imports files of `assembly/`. */
export function writeEntry(plan: KernelPlan): string {
  const { validate, validateForUtf8, validateUtf8, facts } = plan;
  const four = validate.four;
  const sixToFour = ['paired', 'allowed'].includes(validate.surrogates);
  const nulInTwo = facts.firstAscii > 0;
  const writesFour = plan.writesPairs === 'four bytes';
  const writesSix = plan.writesPairs === 'six bytes';
  return [
    "import { isAscii } from './ascii';",
    "import { decode as decodeAt, initDecode } from './decode';",
    "import { encode as encodeAt, initEncode } from './encode';",
    "import { lengthen } from './lengthen';",
    "import { isShared as isSharedAt } from './shared';",
    "import { shorten } from './shorten';",
    "import { Short } from './short';",
    "import { Surrogates, validate as validateAt } from './validate';",
    '',
    "export { INPUT, INPUT_SIZE, OUTPUT, OUTPUT_SIZE } from './memory';",
    ...writeEncodable(plan),
    '',
    'initDecode();',
    'initEncode();',
    '',
    ...writeTables('LOOKUP', validate),
    ...writeValidator('validate', 'LOOKUP', validate),
    'export function decode(p: usize, n: usize, o: usize): usize {',
    `  return decodeAt(p, n, o, ${four});`,
    '}',
    'export function decodeShort(p: usize, n: usize, o: usize): isize {',
    `  if (isAscii(p, n, ${nulInTwo})) return Short.ASCII;`,
    '  const read = validate(p, n);',
    '  return read == n ? decode(p, n, o) : Short.ASCII - 1 - <isize>read;',
    '}',
    'export function encode(p: usize, n: usize, o: usize): usize {',
    `  return encodeAt(p, n, o, ${writesFour}, ${plan.writesNulInTwo});`,
    '}',
    ...(facts.readsUtf8 && facts.writesUtf8
      ? []
      : [
          'export function isShared(p: usize, n: usize): bool {',
          `  return isSharedAt(p, n, ${four && writesFour}, ${facts.firstAscii});`,
          '}',
        ]),
    ...(typeof validateForUtf8 === 'object'
      ? [
          ...writeTables('LOOKUP_FOR_UTF8', validateForUtf8),
          ...writeValidator('validateForUtf8', 'LOOKUP_FOR_UTF8', validateForUtf8),
        ]
      : []),
    ...(validateForUtf8 === 'none'
      ? []
      : [
          'export function toUtf8(p: usize, n: usize, o: usize): usize {',
          ...writeCopy(sixToFour || nulInTwo, `shorten(p, n, o, ${nulInTwo})`),
          '}',
        ]),
    ...(validateUtf8 === undefined
      ? []
      : [
          ...writeTables('LOOKUP_UTF8', validateUtf8),
          ...writeValidator('validateUtf8', 'LOOKUP_UTF8', validateUtf8),
          'export function fromUtf8(p: usize, n: usize, o: usize): usize {',
          ...writeCopy(
            writesSix || plan.writesNulInTwo,
            `lengthen(p, n, o, ${writesSix}, ${plan.writesNulInTwo})`,
          ),
          '}',
        ]),
    '',
  ].join('\n');
}

/** Exports the function that counts encodable code units, unless all can be encoded. */
function writeEncodable({ writesPairs, writesSurrogates }: KernelPlan): string[] {
  if (writesSurrogates && writesPairs === 'six bytes') return [];
  const name = writesPairs ? 'pairedLength' : 'bmpLength';
  return [`export { ${name} as encodableLength } from './surrogates';`];
}

function writeTables(name: string, { lookup }: ValidatorPlan): string[] {
  const { firstUpper, firstLower, secondUpper } = lookup;
  return [
    `const ${name} = memory.data<u8>([`,
    ...[firstUpper, firstLower, secondUpper].map((table) => `  ${table.join(', ')},`),
    '], 16);',
  ];
}

function writeValidator(
  name: string,
  tables: string,
  { surrogates, four, pardonsNulInTwo, refusesNul }: ValidatorPlan,
): string[] {
  const options = [`Surrogates.${SURROGATES[surrogates]}`, four, pardonsNulInTwo, refusesNul];
  return [
    `export function ${name}(p: usize, n: usize): usize {`,
    `  return validateAt(p, n, ${options.join(', ')}, ${tables});`,
    '}',
  ];
}

function writeCopy(changes: boolean, call: string): string[] {
  return changes ? [`  return ${call};`] : ['  memory.copy(o, p, n);', '  return n;'];
}
