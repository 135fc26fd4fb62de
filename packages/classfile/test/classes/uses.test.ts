/** Uses of strings and their kinds, by hand, for constructs that compilers write in several variants. */
import { readStrings, readUses, type StringKind, type StringUse } from '@utf8/classfile';
import { describe, expect, it } from 'vitest';
import {
  assemble,
  attribute,
  type Bytes,
  dynamic,
  integer,
  list,
  type Parts,
  string,
  u2,
  u4,
  utf8,
} from '../../../../tooling/oracles/classes/src/assemble.js';

/** Constants that are found by their content; each is added once, and gets the next index. */
class Pool {
  readonly #indices = new Map<string, number>([
    ['A', 1],
    ['java/lang/Object', 3],
  ]);
  readonly constants: Bytes[] = [];

  add(constant: Bytes): number {
    const key = String(constant);
    const index = this.#indices.get(key) ?? 5 + this.constants.length;
    if (!this.#indices.has(key)) {
      this.#indices.set(key, index);
      this.constants.push(constant);
    }
    return index;
  }

  utf8 = (text: string): number => this.#indices.get(text) ?? this.add(utf8(text));
  string = (text: string): number => this.add(string(this.utf8(text)));
  classRef = (name: string): number => this.add([7, ...u2(this.utf8(name))]);
  nameAndType = (name: string, type: string): number =>
    this.add([12, ...u2(this.utf8(name)), ...u2(this.utf8(type))]);
  method = (owner: string, name: string, type: string): number =>
    this.add([10, ...u2(this.classRef(owner)), ...u2(this.nameAndType(name, type))]);
  handle = (owner: string, name: string): number =>
    this.add([15, 6, ...u2(this.method(owner, name, '()V'))]);

  attribute = (name: string, content: Bytes): Bytes => attribute(this.utf8(name), content);
  member = (name: string, type: string, ...attributes: Bytes[]): Bytes => [
    ...u2(9),
    ...u2(this.utf8(name)),
    ...u2(this.utf8(type)),
    ...list(...attributes),
  ];

  code(instructions: readonly Bytes[], ...attributes: Bytes[]): Bytes {
    const all = instructions.flat();
    const head = [...u2(9), ...u2(9), ...u4(all.length)];
    return this.attribute('Code', [...head, ...all, ...list(), ...list(...attributes)]);
  }

  ldc = (text: string): Bytes => [0x12, this.string(text)];
  ldcWide = (text: string): Bytes => [0x13, ...u2(this.string(text))];
  invoke = (name: string, type: string, opcode = 0xb6): Bytes => {
    const method = u2(this.method('A', name, type));
    return opcode === 0xb9 ? [opcode, ...method, 1, 0] : [opcode, ...method];
  };
}

const build = (make: (pool: Pool) => Parts): Uint8Array => {
  const pool = new Pool();
  const parts = make(pool);
  return assemble({ ...parts, constants: pool.constants });
};

/** Returns the kinds of the strings that a method loads, in their order. */
function kindsIn(
  make: (pool: Pool) => readonly Bytes[],
  { name = 'm', type = '()V', ...parts }: Parts & { name?: string; type?: string } = {},
): [string, StringKind][] {
  const file = build((pool) => ({
    methods: [pool.member(name, type, pool.code(make(pool)))],
    ...parts,
  }));
  const uses = [...readUses(file)].filter(
    ({ member, string }) => member && string.kinds.length > 0,
  );
  return uses
    .filter(({ kind }) => !['name', 'descriptor', 'attribute'].includes(kind))
    .map(({ string, kind }) => [string.string, kind]);
}

const hashCode = (text: string): number =>
  [...text].reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, 0);

/** A `lookupswitch` at an offset in the code. */
const lookup = (at: number, ...cases: number[]): Bytes => [
  0xab,
  ...new Array<number>(3 - (at % 4)).fill(0),
  ...u4(0),
  ...u4(cases.length),
  ...cases.flatMap((each) => [...u4(each >>> 0), ...u4(0)]),
];

const table = (at: number, low: number, high: number): Bytes => [
  0xaa,
  ...new Array<number>(3 - (at % 4)).fill(0),
  ...u4(0),
  ...u4(low >>> 0),
  ...u4(high >>> 0),
  ...new Array<number>(4 * (high - low + 1)).fill(0),
];

describe('labels of a switch', () => {
  const hash = (pool: Pool): Bytes => pool.invoke('hashCode', '()I');
  const equals = (pool: Pool): Bytes => pool.invoke('equals', '(Ljava/lang/Object;)Z');
  const negative = 'polygenelubricants!';

  it('are what is compared, and has a hash code among the cases', () => {
    expect(hashCode(negative)).toBeLessThan(0);
    expect(
      kindsIn((pool) => [
        hash(pool),
        lookup(3, 65, hashCode(negative), hashCode('한')),
        pool.ldc('A'),
        equals(pool),
        pool.ldcWide(negative),
        equals(pool),
        pool.ldc('한'),
        equals(pool),
        pool.ldc('B'),
        equals(pool),
        pool.ldc('A'),
      ]),
    ).toEqual([
      ['A', 'switch-label'],
      [negative, 'switch-label'],
      ['한', 'switch-label'],
      ['B', 'literal'],
      ['A', 'literal'],
    ]);
  });

  it('are so as Kotlin and Scala write it, too', () => {
    expect(
      kindsIn((pool) => [
        hash(pool),
        table(3, 64, 66),
        pool.ldc('A'),
        pool.invoke('areEqual', '(Ljava/lang/Object;Ljava/lang/Object;)Z', 0xb8),
        pool.ldc('B'),
        [0x2b], // aload_1
        equals(pool),
        pool.ldc('C'),
        [0x19, 9], // aload
        equals(pool),
        pool.ldc('@'),
        [0xc4, 0x19, 1, 0], // wide aload
        pool.invoke('equals', '(Ljava/lang/Object;)Z', 0xb9),
        pool.ldc('A'),
        [0x2b, 0x2b],
        equals(pool),
        pool.ldc('B'),
        [0x1b], // iload_1
        equals(pool),
      ]),
    ).toEqual([
      ['A', 'switch-label'],
      ['B', 'switch-label'],
      ['C', 'literal'],
      ['@', 'switch-label'],
      ['A', 'literal'],
      ['B', 'literal'],
    ]);
  });

  it('may come before the switch', () => {
    expect(kindsIn((pool) => [pool.ldc('A'), equals(pool), hash(pool), lookup(8, 65)])).toEqual([
      ['A', 'switch-label'],
    ]);
  });

  it.each<[string, (pool: Pool) => readonly Bytes[]]>([
    ['a switch over something else', (pool) => [pool.invoke('hashCode', '(I)I'), lookup(3, 65)]],
    ['a switch after something else', (pool) => [hash(pool), [0x00], lookup(4, 65)]],
    ['no switch', (pool) => [hash(pool)]],
    ['a switch over other hash codes', (pool) => [hash(pool), table(3, 66, 70)]],
    ['a switch that is cut off', (pool) => [hash(pool), lookup(3, 65).slice(0, -4)]],
  ])('are none of %s', (_, make) => {
    const found = kindsIn((pool) => [
      pool.ldc('A'),
      equals(pool),
      [0x00, 0x00, 0x00],
      ...make(pool),
    ]);
    expect(found).toEqual([['A', 'literal']]);
  });

  it('are of one method, and not of the next', () => {
    const file = build((pool) => ({
      methods: [
        pool.member('m', '()V', pool.code([hash(pool), lookup(3, 65)])),
        pool.member('n', '()V', pool.code([pool.ldc('A'), equals(pool)])),
      ],
    }));
    expect([...readUses(file, { kinds: ['switch-label'] })]).toEqual([]);
  });
});

describe('names of enum constants', () => {
  const inEnum = { name: '<clinit>', flags: 0x4021 };
  const create: Bytes = [0xbb, ...u2(2), 0x59]; // new, dup

  it('are what is loaded for a new constant, with its number', () => {
    const found = kindsIn(
      (pool) => [
        ...[[0x03], [0x08], [0x10, 6], [0x11, 1, 0], [0x12, pool.add(integer(7))]].flatMap(
          (number, i) => [create, pool.ldc(`E${i}`), number],
        ),
        create,
        pool.ldcWide('E'),
        [0x13, ...u2(pool.add(integer(7)))],
        create,
        pool.ldc('text'),
        [0x57],
        pool.ldc('alone'),
        [0x03],
        [0xbb, ...u2(2)],
        pool.ldc('without dup'),
        [0x03],
      ],
      inEnum,
    );
    const [names, others] = [found.slice(0, 6), found.slice(6)];
    expect(names.map(([, kind]) => kind)).toEqual(new Array(6).fill('enum-constant'));
    expect(others.map(([, kind]) => kind)).toEqual(new Array(3).fill('literal'));
  });

  it('are so in a class that extends Enum, and nowhere else', () => {
    const make = (pool: Pool) => [create, pool.ldc('E'), [0x03]];
    expect(kindsIn(make, { ...inEnum, flags: 0x21 })).toEqual([['E', 'literal']]);
    expect(kindsIn(make, { ...inEnum, name: 'm' })).toEqual([['E', 'literal']]);
    const file = build((pool) => ({
      superClass: pool.classRef('java/lang/Enum'),
      methods: [pool.member('<clinit>', '()V', pool.code(make(pool)))],
    }));
    expect([...readUses(file, { kinds: ['enum-constant'] })].length).toBe(1);
  });
});

describe('strings of lambdas', () => {
  const type = '(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;';
  const make = (pool: Pool) => [
    pool.invoke('hashCode', '()I'),
    lookup(3, 65),
    pool.ldc('A'),
    pool.invoke('equals', '(Ljava/lang/Object;)Z'),
    pool.ldcWide('B'),
  ];

  it('are all that the method loads that deserializes them', () => {
    expect(kindsIn(make, { name: '$deserializeLambda$', type })).toEqual([
      ['A', 'lambda'],
      ['B', 'lambda'],
    ]);
  });

  it('are none in a method of another name or type', () => {
    const other = [
      ['A', 'switch-label'],
      ['B', 'literal'],
    ];
    expect(kindsIn(make, { name: '$deserializeLambda$', type: '()V' })).toEqual(other);
    expect(kindsIn(make, { name: 'm', type })).toEqual(other);
  });
});

describe('code that cannot be followed', () => {
  it.each<[string, Bytes]>([
    ['an opcode that there is not', [0xcb]],
    ['a breakpoint', [0xca]],
    ['wide before what it may not stand before', [0xc4, 0x00]],
    ['a switch of fewer cases than none', lookup(2).with(-1, 0xff).with(-4, 0xff)],
    ['a table whose end comes before its beginning', [0xaa, 0, ...u4(0), ...u4(9), ...u4(7)]],
    ['a switch of more cases than the code holds', [0xab, 0, ...u4(0), ...u4(0x7fffffff)]],
  ])('is looked at up to %s', (_, instruction) => {
    const file = build((pool) => ({
      methods: [
        pool.member(
          'm',
          '()V',
          pool.code([pool.ldc('A'), instruction, pool.ldc('x'), pool.ldc('A')]),
        ),
      ],
    }));
    const uses = [...readUses(file, { kinds: ['literal'] })];
    // A string that nothing known loads is located by its constant.
    expect(
      uses.map(({ string, member, constant }) => [string.string, member?.name, constant]),
    ).toEqual([
      ['x', undefined, expect.any(Number)],
      ['A', 'm', undefined],
    ]);
    expect([...readStrings(file)].find(({ string }) => string === 'x')?.kinds).toEqual(['literal']);
  });

  it('may load what is no string, or nothing', () => {
    expect(
      kindsIn((pool) => [
        [0x12, 2],
        [0x12, 0],
        [0x13, 0xff, 0xff],
        [0xba, 0xff, 0xff, 0, 0],
        pool.ldc('x'),
      ]),
    ).toEqual([['x', 'literal']]);
  });

  it('skips all instructions by their lengths', () => {
    const wide = [0x84, 0xa9, 0x15, 0x36].map((opcode) => [
      0xc4,
      opcode,
      0,
      0,
      ...(opcode === 0x84 ? [0, 0] : []),
    ]);
    const all = [
      ...[0x00, 0x0f, 0x1a, 0x35, 0x3b, 0x83, 0x85, 0x98, 0xac, 0xb1, 0xbe, 0xbf, 0xc2, 0xc3].map(
        (op) => [op],
      ),
      ...[0x10, 0x15, 0x19, 0x36, 0x3a, 0xa9, 0xbc].map((op) => [op, 0x12]),
      ...[0x11, 0x14, 0x84, 0x99, 0xa8, 0xb2, 0xb8, 0xbb, 0xbd, 0xc0, 0xc1, 0xc6, 0xc7].map(
        (op) => [op, 0x12, 0x12],
      ),
      [0xc5, 0x12, 0x12, 0x12],
      ...[0xb9, 0xba, 0xc8, 0xc9].map((op) => [op, 0x12, 0x12, 0x12, 0x12]),
      ...wide,
    ];
    for (const instruction of all) {
      expect(
        kindsIn((pool) => [instruction, pool.ldc('x'), pool.ldcWide('y')]),
        `${instruction}`,
      ).toEqual([
        ['x', 'literal'],
        ['y', 'literal'],
      ]);
    }
  });
});

describe('bootstrap methods', () => {
  const argumentKinds = (owner: string, name: string): [string, number, StringKind][] => {
    const file = build((pool) => {
      const indices = [pool.add(integer(7)), pool.string('first'), pool.string('second')];
      const method = [...u2(pool.handle(owner, name)), ...list(...indices.map(u2))];
      return { attributes: [pool.attribute('BootstrapMethods', list(method))] };
    });
    return [...readUses(file)]
      .filter(({ bootstrap }) => bootstrap)
      .map(({ bootstrap, kind }) => {
        const { method, argument } = bootstrap as NonNullable<StringUse['bootstrap']>;
        return [method, argument, kind];
      });
  };

  it.each<[string, string, StringKind, StringKind]>([
    [
      'java/lang/invoke/StringConcatFactory',
      'makeConcatWithConstants',
      'recipe',
      'bootstrap-argument',
    ],
    ['java/lang/runtime/SwitchBootstraps', 'typeSwitch', 'switch-label', 'switch-label'],
    ['java/lang/runtime/SwitchBootstraps', 'enumSwitch', 'switch-label', 'switch-label'],
    ['java/lang/runtime/ObjectMethods', 'bootstrap', 'record-components', 'record-components'],
    ['java/lang/runtime/ObjectMethods', 'typeSwitch', 'bootstrap-argument', 'bootstrap-argument'],
    ['my/Bootstraps', 'bootstrap', 'bootstrap-argument', 'bootstrap-argument'],
  ])('%s.%s', (owner, name, first, second) => {
    const method = `${owner}.${name}`;
    expect(argumentKinds(owner, name)).toEqual([
      [method, 1, first],
      [method, 2, second],
    ]);
  });

  it('are called by instructions, which their arguments share', () => {
    const file = build((pool) => {
      const type = pool.nameAndType('x', '()V');
      const [first, second] = [0, 1].map((method) =>
        pool.add([18, ...u2(method), ...u2(type)]),
      ) as [number, number];
      const constant = pool.add(dynamic(1, type));
      const lines = pool.attribute(
        'LineNumberTable',
        list([...u2(5), ...u2(12)], [...u2(0), ...u2(11)]),
      );
      const call = (index: number): Bytes => [0xba, ...u2(index), 0, 0];
      const methods = ['one', 'two'].map((text) => [
        ...u2(pool.handle('B', 'b')),
        ...list(u2(pool.string(text)), u2(pool.string('both'))),
      ]);
      return {
        methods: [
          pool.member('m', '()V', pool.code([call(second), call(first), call(second)], lines)),
          pool.member(
            'n',
            '()V',
            pool.code([
              [0x12, constant],
              [0x13, ...u2(constant)],
              [0x14, ...u2(constant)],
            ]),
          ),
        ],
        attributes: [pool.attribute('BootstrapMethods', list(...methods))],
      };
    });
    const uses = [...readUses(file, { kinds: ['bootstrap-argument'] })];
    const m = { type: 'method', name: 'm', descriptor: '()V' };
    const n = { type: 'method', name: 'n', descriptor: '()V' };
    const first = [{ member: m, line: 12 }];
    const second = [
      { member: m, line: 11 },
      { member: m, line: 12 },
      ...new Array(3).fill({ member: n, line: undefined }),
    ];
    expect(uses.map(({ string, bootstrap }) => [string.string, bootstrap])).toEqual([
      ['one', { method: 'B.b', argument: 0, callers: first }],
      ['both', { method: 'B.b', argument: 1, callers: first }],
      ['two', { method: 'B.b', argument: 0, callers: second }],
      ['both', { method: 'B.b', argument: 1, callers: second }],
    ]);
    expect(uses[2]?.bootstrap?.callers).toBe(uses[3]?.bootstrap?.callers);
    expect(uses.every((use) => (use.member ?? use.line ?? use.constant) === undefined)).toBe(true);
  });
});

describe('places', () => {
  const s = (pool: Pool, text: string): Bytes => [0x73, ...u2(pool.utf8(text))];

  it('in annotations have a type and a way', () => {
    const file = build((pool) => {
      const element = (name: string, value: Bytes): Bytes => [...u2(pool.utf8(name)), ...value];
      const annotation = (type: string, ...elements: Bytes[]): Bytes => [
        ...u2(pool.utf8(type)),
        ...list(...elements),
      ];
      const array = (...values: Bytes[]): Bytes => [0x5b, ...list(...values)];
      const inner = (text: string): Bytes => [
        0x40,
        ...annotation('LI;', element('name', s(pool, text))),
      ];
      const outer = annotation(
        'LO;',
        element('value', array(inner('0'), inner('1'), inner('2'))),
        element('single', inner('3')),
        element('grid', array(array(s(pool, '4')), array(s(pool, '5'), s(pool, '6')))),
        element('plain', s(pool, '7')),
      );
      return {
        attributes: [
          pool.attribute(
            'RuntimeVisibleAnnotations',
            list(outer, annotation('LP;', element('x', s(pool, '8')))),
          ),
        ],
        methods: [
          pool.member(
            'value',
            '()V',
            pool.attribute('AnnotationDefault', array(s(pool, '9'), inner('10'))),
          ),
        ],
      };
    });
    const found = Array.from(
      readUses(file, { kinds: ['annotation'] }),
      ({ string, annotation }) => [string.string, annotation?.type, annotation?.path],
    );
    expect(found).toEqual([
      ['9', 'LA;', 'value[0]'],
      ['10', 'LA;', 'value[1].name'],
      ['0', 'LO;', 'value[0].name'],
      ['1', 'LO;', 'value[1].name'],
      ['2', 'LO;', 'value[2].name'],
      ['3', 'LO;', 'single.name'],
      ['4', 'LO;', 'grid[0][0]'],
      ['5', 'LO;', 'grid[1][0]'],
      ['6', 'LO;', 'grid[1][1]'],
      ['7', 'LO;', 'plain'],
      ['8', 'LP;', 'x'],
    ]);
    // Types and names are in annotations, too; what comes after is not.
    const all = [...readUses(file)].filter(({ annotation }) => annotation);
    expect(
      all.filter(({ kind }) => kind === 'descriptor').map(({ annotation }) => annotation?.path),
    ).toEqual(['value[1]', '', 'value[0]', 'value[1]', 'value[2]', 'single', '']);
    expect(all.some(({ kind }) => kind === 'attribute')).toBe(false);
  });

  it('deep in annotations have a way that is cut in the middle', () => {
    const wayOf = (depth: number): string | undefined => {
      const file = build((pool) => ({
        attributes: [
          pool.attribute('RuntimeVisibleAnnotations', [
            ...u2(1),
            ...u2(pool.utf8('LO;')),
            ...u2(1),
            ...u2(pool.utf8('x')),
            ...new Array<Bytes>(depth).fill([0x5b, ...u2(1)]).flat(),
            ...s(pool, 'deep'),
          ]),
        ],
      }));
      return [...readUses(file, { kinds: ['annotation'] })][0]?.annotation?.path;
    };
    expect(wayOf(31)).toBe(`x${'[0]'.repeat(31)}`);
    expect(wayOf(32)).toBe(`x${'[0]'.repeat(15)}…${'[0]'.repeat(16)}`);
    expect(wayOf(10_000)).toBe(wayOf(32));
  });

  it('are told by line, where a table tells it', () => {
    const lines = (...tables: [number, number][][]) => {
      const file = build((pool) => ({
        methods: [
          pool.member(
            'm',
            '()V',
            pool.code(
              [pool.ldc('A'), [0x57], pool.ldc('A'), [0x57], pool.ldc('A')],
              ...tables.map((entries) =>
                pool.attribute(
                  'LineNumberTable',
                  list(...entries.map(([pc, line]) => [...u2(pc), ...u2(line)])),
                ),
              ),
            ),
          ),
        ],
      }));
      return Array.from(readUses(file, { kinds: ['literal'] }), ({ line }) => line);
    };
    expect(lines()).toEqual([undefined, undefined, undefined]);
    expect(lines([[0, 7]])).toEqual([7, 7, 7]);
    expect(lines([[3, 0]])).toEqual([undefined, 0, 0]);
    // In any order, in several tables, within instructions; the last of two counts.
    expect(
      lines(
        [
          [6, 9],
          [0, 65535],
        ],
        [[2, 8]],
      ),
    ).toEqual([65535, 8, 9]);
    expect(
      lines([
        [0, 1],
        [0, 2],
        [99, 3],
      ]),
    ).toEqual([2, 2, 2]);
  });

  it('are of members, components, or the class', () => {
    const file = build((pool) => {
      const signature = (text: string) => pool.attribute('Signature', u2(pool.utf8(text)));
      return {
        fields: [pool.member('f', 'I', signature('of f'))],
        methods: [pool.member('m', '()V', signature('of m'))],
        attributes: [
          pool.attribute(
            'Record',
            list([...u2(pool.utf8('c')), ...u2(pool.utf8('J')), ...list(signature('of c'))]),
          ),
          signature('of the class'),
        ],
      };
    });
    const found = Array.from(readUses(file, { kinds: ['signature'] }), (use) => [
      use.string.string,
      use.member,
      use.className,
    ]);
    expect(found).toEqual([
      ['of f', { type: 'field', name: 'f', descriptor: 'I' }, 'A'],
      ['of m', { type: 'method', name: 'm', descriptor: '()V' }, 'A'],
      ['of c', { type: 'component', name: 'c', descriptor: 'J' }, 'A'],
      ['of the class', undefined, 'A'],
    ]);
  });

  it('in the pool are told by the constant', () => {
    const file = assemble({
      constants: [[5, ...u4(0), ...u4(0)], string(1), [12, ...u2(1), ...u2(3)]],
    });
    expect(
      Array.from(readUses(file), ({ kind, constant, string }) => [kind, constant, string.index]),
    ).toEqual([
      ['name', 2, 1],
      ['name', 4, 3],
      ['literal', 7, 1],
      ['name', 8, 1],
      ['descriptor', 8, 3],
    ]);
  });

  it('lead to the string by the index that stands there', () => {
    const file = build((pool) => ({
      methods: [pool.member('m', '()V', pool.code([pool.ldc('x'), pool.ldcWide('y')]))],
    }));
    const view = new DataView(file.buffer);
    const uses = [...readUses(file)];
    expect(uses.filter(({ kind }) => kind !== 'literal').length).toBe(5);
    for (const { string, offset, kind } of uses) {
      if (kind !== 'literal') expect(view.getUint16(offset)).toBe(string.index);
    }
    const [x, y] = uses.filter(({ kind }) => kind === 'literal') as [StringUse, StringUse];
    expect([file[x.offset - 1], file[y.offset - 1]]).toEqual([0x12, 0x13]);
  });
});

describe('options', () => {
  const file = assemble({ constants: [string(1)] });

  it('uses can be gone through more than once', () => {
    const uses = readUses(file);
    expect([...uses].length).toBe(3);
    expect([...uses]).toEqual([...uses]);
    const [use] = uses;
    expect(use?.string).toBe(use?.string);
  });

  it('kinds that there are not are refused', () => {
    const kinds = ['litteral'] as unknown as StringKind[];
    expect(() => readUses(file, { kinds })).toThrow(
      /Unknown kind of strings, litteral: expected one of literal, /,
    );
    expect(() => readUses(file, { lenient: 7 as unknown as () => void })).toThrow(TypeError);
    expect([...readUses(file, { kinds: [] })]).toEqual([]);
    expect([...readUses(file, { kinds: ['unused'] })]).toEqual([]);
  });

  it('malformed strings are read as the policy wants', () => {
    const malformed = assemble({ constants: [utf8([0xff]), string(5)] });
    expect(() => readUses(malformed)).toThrow(/is not Modified UTF-8/);
    const [, , use] = readUses(malformed, { errors: 'backslashreplace' });
    expect(use?.string).toMatchObject({ string: '\\xff', fault: { length: 1 } });
  });
});
