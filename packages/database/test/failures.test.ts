/** Errors of servers and drivers: those that end a run, those that may pass, and those that refuse a row. */
import { InputError, OutputError, UsageError } from '@utf8/dump';
import { describe, expect, it } from 'vitest';
import { LockError } from '../src/server/lock-error.js';
import {
  describeFault,
  isMalformed,
  isMissingTable,
  MysqlTransientError,
  findRefusal as refusalOfMysql,
} from '../src/server/mysql/mysql-fault.js';
import {
  describeError,
  isOfServer,
  isRefusal,
  findRefusal as refusalOfPostgres,
  TransientError,
} from '../src/server/postgres/postgres-error.js';
import {
  describeFailure,
  readRefusal,
  readSqliteError,
} from '../src/server/sqlite/sqlite-failure.js';

const fail = (message: string, properties: object = {}): Error =>
  Object.assign(new Error(message), properties);

const ours = [new InputError('a'), new OutputError('b'), new UsageError('c')];

describe('MySQL and MariaDB', () => {
  const describeNumber = (errno: number, message = 'it said', properties = {}) =>
    describeFault('db', fail(message, { errno, ...properties }));

  it('leaves errors that have their sentence', () => {
    for (const error of ours) expect(describeFault('db', error)).toBe(error);
  });

  it.each([
    [1205, 'db: the wait for a lock timed out; try again'],
    [1213, 'db: another transaction was first; try again'],
    [1020, 'db: another transaction was first; try again'],
    [1412, 'db: another transaction was first; try again'],
    [3058, 'db: another transaction was first; try again'],
  ])('%i may succeed later', (errno, message) => {
    const error = describeNumber(errno);
    expect(error).toBeInstanceOf(MysqlTransientError);
    expect(error).toMatchObject({ message, isTransient: true, cause: { errno } });
    expect(refusalOfMysql(fail('', { errno }))).toBeUndefined();
  });

  it.each([
    [InputError, [1040, 1203], 'too many connections; try again later'],
    [InputError, [1044], 'the user has no access to this database; grant it'],
    [InputError, [1045, 1698], 'wrong user or password, or the server requires TLS (?ssl=true)'],
    [InputError, [1049], 'the server has no such database; check the name'],
    [InputError, [1053], 'the server is shutting down; run again with `resume`'],
    [InputError, [1129], 'the server blocks this host; run FLUSH HOSTS there'],
    [InputError, [1130], 'the server does not accept connections from this host'],
    [InputError, [1317, 3024, 1969], 'the server interrupted a statement; run again with `resume`'],
    [InputError, [4031, 1927], 'the server closed the connection; run again with `resume`'],
    [OutputError, [1021, 1114], 'free some space, and run again with `resume`'],
    [OutputError, [1197], 'the batch exceeds max_binlog_cache_size; make batches smaller'],
    [OutputError, [1206], 'takes more locks than the server allows; make batches smaller'],
    [OutputError, [1153], 'a statement exceeds max_allowed_packet; raise it on the server'],
    [OutputError, [1047], 'this node of the cluster is not ready; run again with `resume`'],
    [OutputError, [1836, 1792], 'the server is read-only; connect to the primary'],
  ])('%o ends a run: %o', (ErrorClass, numbers, sentence) => {
    for (const errno of numbers) {
      const error = describeNumber(errno);
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error.message).toMatch(/^db: /);
      // Nothing of the server's message, which adds nothing.
      expect(error.message.endsWith(sentence), error.message).toBe(true);
      expect(error.cause).toMatchObject({ errno });
      expect(refusalOfMysql(fail('', { errno }))).toBeUndefined();
    }
  });

  it.each([
    [OutputError, [1142, 1143, 1227, 1370], 'the user lacks a privilege'],
    [OutputError, [1290], 'the server is read-only; connect to the primary'],
    [OutputError, [3100], 'the server refuses the transaction'],
    [OutputError, [1030], 'the storage engine failed'],
    [InputError, [1226], 'the user has exceeded a limit of the server'],
    [InputError, [1064], 'the server does not understand a statement'],
  ])('%o ends a run, with the words of the server: %o', (ErrorClass, numbers, sentence) => {
    for (const errno of numbers) {
      const error = describeNumber(errno, 'it said');
      expect(error).toBeInstanceOf(ErrorClass);
      expect(error.message).toBe(`db: ${sentence} (it said)`);
      const exact = describeNumber(errno, 'it said', { sqlMessage: 'exactly' });
      expect(exact.message).toBe(`db: ${sentence} (exactly)`);
      expect(refusalOfMysql(fail('', { errno }))).toBeUndefined();
    }
  });

  it('recognizes a full disk by the number of the system', () => {
    const full = 'db: no space left on the server; free some space, and run again with `resume`';
    for (const errno of [3, 20, 1004, 1005, 1025, 1026, 1030]) {
      const words = ['(errno: 28 "x")', 'Got error 28 from', 'Got error "28', 'No space left on'];
      for (const message of words) {
        expect(describeNumber(errno, message).message.startsWith(full)).toBe(true);
        expect(refusalOfMysql(fail(message, { errno }))).toBeUndefined();
      }
      for (const message of ['(errno: 281)', '28 rows']) {
        expect(describeNumber(errno, message).message).not.toContain('no space left');
      }
    }
    // A value may be quoted.
    expect(describeNumber(1062, 'entry "No space left"').message).toBe('db: entry "No space left"');
    expect(refusalOfMysql(fail('No space left', { errno: 1062 }))?.reason).toBe('unique');
  });

  it.each([
    ['ECONNREFUSED', 'the connection was refused; is the server running?'],
    ['ENOENT', 'no such socket; is the server running?'],
    ['ENOTFOUND', 'unknown host; check the name'],
    ['EAI_AGAIN', 'unknown host; check the name'],
    ['ETIMEDOUT', 'the server does not answer; check host and port'],
    ['EACCES', 'permission denied; run as a user with access to the socket'],
    ['HANDSHAKE_NO_SSL_SUPPORT', 'the server does not support TLS; remove ?ssl=true'],
    [
      'HANDSHAKE_SSL_ERROR',
      'the certificate of the server is not valid; check it, or add ?ssl=skip-verify',
    ],
    ['PROTOCOL_CONNECTION_LOST', 'the connection was lost; run again with `resume`'],
    ['ECONNRESET', 'the connection was lost; run again with `resume`'],
    ['EPIPE', 'the connection was lost; run again with `resume`'],
    ['XPROTOCOL_', 'it said'],
    ['constructor', 'it said'],
  ])('%s is about the connection', (code, sentence) => {
    const error = describeFault('db', fail('it said', { code, errno: -1 }));
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message: `db: ${sentence}`, cause: { code } });
    expect(refusalOfMysql(fail('it said', { code, errno: -1 }))).toBeUndefined();
    expect(refusalOfMysql(fail('it said', { code }))).toBeUndefined();
  });

  it('recognizes a lost connection by its message', () => {
    for (const words of ['in closed state', 'Connection lost: x', 'server has gone away']) {
      const { message, cause } = describeFault('db', fail(words));
      expect(message).toBe('db: the connection was lost; run again with `resume`');
      expect(cause).toMatchObject({ message: words });
    }
  });

  it('repeats what it does not know', () => {
    const error = fail('m', { errno: 9999 });
    expect(describeFault('db', error)).toMatchObject({ message: 'db: m', cause: error });
    expect(describeNumber(9999, 'm', { sqlMessage: 's' }).message).toBe('db: s');
  });

  it.each([
    ['unique', [1022, 1062, 1169, 1586, 1761, 1762]],
    ['length', [1265, 1406]],
    ['reference', [1216, 1217, 1451, 1452]],
    ['other', [1, 1366, 1644, 4025]],
  ])('a row is refused: %s', (reason, numbers) => {
    for (const errno of numbers) {
      const refusal = refusalOfMysql(fail('m', { errno }));
      expect(refusal).toEqual({ reason, message: 'm' });
      const exact = refusalOfMysql(fail('m', { errno, sqlMessage: 's' }));
      expect(exact).toEqual({ reason, message: 's' });
    }
  });

  it('tells a missing table and malformed text', () => {
    expect(isMissingTable(fail('', { errno: 1146 }))).toBe(true);
    expect(isMalformed(fail('', { errno: 1366 }))).toBe(true);
    for (const error of [fail(''), undefined, fail('', { errno: 1 })]) {
      expect(isMissingTable(error)).toBe(false);
      expect(isMalformed(error)).toBe(false);
    }
  });
});

describe('PostgreSQL', () => {
  it('leaves errors that have their sentence', () => {
    for (const error of [...ours, new TransientError('later')]) {
      expect(describeError('t', error, true)).toBe(error);
    }
  });

  it.each([
    ['28P01', 'wrong password; check the URL, PGPASSWORD and ~/.pgpass'],
    ['3D000', 'no such database; check the name'],
    ['53100', "no space left on the server's disk; free some space, then resume"],
    ['53200', 'the server is out of memory'],
    ['53300', 'the server has too many connections; try again later'],
    ['57014', 'the server cancelled the statement'],
    ['57P03', 'the server is starting up or shutting down; try again later'],
    [
      '25006',
      'the database is read-only; connect to the primary server, with a role that may write',
    ],
    ['ECONNREFUSED', 'no server accepts connections there; check the host and the port'],
    ['ENOENT', 'no server socket in that folder; check the host and the port'],
    ['EACCES', "permission denied for the server's socket"],
    ['ENOTFOUND', 'unknown host; check the name'],
    ['EAI_AGAIN', 'the host name cannot be resolved at the moment; try again later'],
    ['ETIMEDOUT', 'the server does not answer; check the host and the port'],
    ['EHOSTUNREACH', 'the host cannot be reached; check the host and the port'],
    ['28000', 'it said; check the role, and pg_hba.conf'],
    ['99999', 'it said'],
    ['', 'it said'],
  ])('%s has a sentence', (code, sentence) => {
    for (const isWriting of [true, false]) {
      const error = describeError('t', fail('it\n  said', { code }), isWriting);
      expect(error).toBeInstanceOf(isWriting ? OutputError : InputError);
      expect(error).toMatchObject({ message: `t: ${sentence}`, cause: { code } });
    }
  });

  it('says which privilege is missing', () => {
    const denied = fail('no', { code: '42501' });
    expect(describeError('t', denied, true).message).toMatch(/^t: no; .* may write it$/);
    expect(describeError('t', denied, false).message).toMatch(/^t: no; .* may read it$/);
    const hidden = fail('no', { code: '42501', routine: 'check_enable_rls' });
    expect(describeError('t', hidden, false).message).toMatch(/^t: row-level security hides/);
  });

  it('asks for a password', () => {
    const words = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string';
    expect(describeError('t', fail(words), false).message).toMatch(/PGPASSWORD/);
    for (const other of [`x ${words}`, 'SASL: it failed']) {
      expect(describeError('t', fail(other), false).message).toBe(`t: ${other}`);
    }
  });

  it.each(['40001', '40P01', '55P03'])('%s may succeed later', (code) => {
    const error = describeError('t', fail('it\nsaid', { code }), true);
    expect(error).toBeInstanceOf(TransientError);
    expect(error).toMatchObject({
      name: 'TransientError',
      message: 't: it said',
      isTransient: true,
      cause: { code },
    });
    expect(isRefusal(fail('', { code }))).toBe(false);
  });

  it.each(['23505', '55P04', '155P03', '14000'])('%s never succeeds', (code) => {
    expect(describeError('t', fail('m', { code }), true)).not.toBeInstanceOf(TransientError);
  });

  it('recognizes a lost connection', () => {
    const lost = 't: the connection to the server was lost; resume when the server is back';
    const codes = ['57P01', '57P02', '57P04', '57P05', '08006', '08003', 'ECONNRESET', 'EPIPE'];
    for (const code of codes) {
      expect(describeError('t', fail('m', { code }), false).message).toBe(lost);
      expect(isOfServer(fail('m', { code }))).toBe(true);
      expect(isRefusal(fail('m', { code }))).toBe(false);
    }
    const messages = [
      'Connection terminated unexpectedly',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
    ];
    for (const message of messages) {
      expect(describeError('t', fail(message), false).message).toBe(lost);
      expect(isOfServer(fail(message))).toBe(true);
      expect(isOfServer(fail(`x ${message}`))).toBe(false);
    }
    for (const code of ['57P03', '157P01', '08', 'EPIPEX', 'XEPIPE']) {
      expect(describeError('t', fail('m', { code }), false).message).not.toBe(lost);
    }
  });

  it('tells an answer of the server from an error of the system', () => {
    for (const code of ['23505', 'P0001', 'XX000', 'F0000', 'HV000', '0A000']) {
      expect(isOfServer(fail('m', { code })), code).toBe(true);
    }
    for (const code of [
      'EPERM',
      'FPERM',
      'XPERM',
      '2350',
      '235055',
      'a3505',
      '2350a',
      '',
      'E0001',
    ]) {
      expect(isOfServer(fail('m', { code })), code).toBe(false);
      expect(isRefusal(fail('m', { code })), code).toBe(false);
    }
    expect(isOfServer(fail('m'))).toBe(false);
  });

  it.each([
    ['length', '22001', {}],
    ['reference', '23503', {}],
    ['reference', '23001', {}],
    ['unique', '23505', {}],
    ['unique', '23P01', {}],
    ['other', '23514', {}],
    ['effect', '23514', { routine: 'ExecPartitionCheckEmitError' }],
    ['other', '23502', { routine: 'ExecPartitionCheckEmitError' }],
    ['other', 'P0001', {}],
    ['other', '22P02', {}],
    // A function of a trigger may do anything.
    ['other', '42501', { where: 'PL/pgSQL function f() line 1' }],
    ['other', '0A000', { where: 'PL/pgSQL function f() line 1' }],
  ])('a row is refused: %s, %s, %o', (reason, code, properties) => {
    const error = fail('m', { code, ...properties });
    expect(refusalOfPostgres(error, false)).toEqual({ reason, message: 'm' });
    expect(isRefusal(error)).toBe(true);
  });

  it('what is about more than a row is no refusal of it', () => {
    const codes = ['XX000', '53100', '57014', '58030', '25006', '26000', '3D000', 'F0000'];
    for (const code of codes) {
      const error = fail('m', { code, where: 'a function' });
      expect(refusalOfPostgres(error, true), code).toBeUndefined();
    }
    expect(refusalOfPostgres(fail('m', { code: '42501' }), true)).toBeUndefined();
    expect(refusalOfPostgres(fail('m', { code: '0A000' }), false)).toBeUndefined();
    expect(refusalOfPostgres(fail('m', { code: '0A000' }), true)).toEqual({
      reason: 'effect',
      message: 'm',
    });
    expect(refusalOfPostgres(fail('m', { code: '22001' }), true)?.reason).toBe('length');
  });
});

describe('SQLite', () => {
  const node = (errcode: number, message = 'm') =>
    fail(message, { code: 'ERR_SQLITE_ERROR', errcode });
  const better = (code: string, message = 'm') => fail(message, { code });

  it.each([
    [1, 'SQLITE_ERROR', 'ERROR', undefined],
    [3, 'SQLITE_PERM', 'PERM', undefined],
    [5, 'SQLITE_BUSY', 'BUSY', undefined],
    [6, 'SQLITE_LOCKED', 'LOCKED', undefined],
    [8, 'SQLITE_READONLY', 'READONLY', undefined],
    [10, 'SQLITE_IOERR', 'IOERR', undefined],
    [11, 'SQLITE_CORRUPT', 'CORRUPT', undefined],
    [13, 'SQLITE_FULL', 'FULL', undefined],
    [14, 'SQLITE_CANTOPEN', 'CANTOPEN', undefined],
    [18, 'SQLITE_TOOBIG', 'TOOBIG', undefined],
    [19, 'SQLITE_CONSTRAINT', 'CONSTRAINT', undefined],
    [23, 'SQLITE_AUTH', 'AUTH', undefined],
    [26, 'SQLITE_NOTADB', 'NOTADB', undefined],
    [787, 'SQLITE_CONSTRAINT_FOREIGNKEY', 'CONSTRAINT', 'FOREIGNKEY'],
    [1555, 'SQLITE_CONSTRAINT_PRIMARYKEY', 'CONSTRAINT', 'PRIMARYKEY'],
    [2067, 'SQLITE_CONSTRAINT_UNIQUE', 'CONSTRAINT', 'UNIQUE'],
    [2579, 'SQLITE_CONSTRAINT_ROWID', 'CONSTRAINT', 'ROWID'],
  ])('%i and %s of the two drivers are the same', (errcode, name, code, detail) => {
    expect(readSqliteError(node(errcode))).toEqual({ code, detail, message: 'm' });
    expect(readSqliteError(better(name))).toEqual({ code, detail, message: 'm' });
  });

  it('leaves errors of others', () => {
    const others = [
      'SQLITE_BUSY',
      undefined,
      fail('m'),
      better('EPERM'),
      better('XSQLITE_BUSY'),
      fail('m', { code: 5 }),
      fail('m', { code: 'ERR_OTHER', errcode: 5 }),
      fail('m', { code: 'ERR_SQLITE_ERROR', errcode: '5' }),
      ...ours,
    ];
    for (const error of others) {
      expect(readSqliteError(error)).toBeUndefined();
      expect(describeFailure('f', error)).toBe(error);
      expect(readRefusal(error)).toBeUndefined();
    }
    expect(readSqliteError(node(99))).toMatchObject({ code: '99' });
  });

  it.each([
    [LockError, [5, 6], 'is locked by another program; stop it, or raise the lock timeout'],
    [OutputError, [13], 'no space left on the device; free some space'],
    [
      OutputError,
      [8],
      'is read-only; change the permissions of the file and its folder, or run as a user with access',
    ],
    [InputError, [3, 23, 14], 'cannot be opened; check the permissions of the file and its folder'],
    [
      InputError,
      [26],
      'is not an SQLite database, or is encrypted; check the name, or decrypt it first',
    ],
    [InputError, [11], 'is damaged (m); recover it first: sqlite3 FILE .recover'],
    [OutputError, [10], 'input/output error (m); check the device and its quota'],
    [InputError, [1, 99], 'm'],
  ])('%o has a sentence: %o', (ErrorClass, codes, sentence) => {
    for (const errcode of codes) {
      // An extended code means the same.
      for (const code of [errcode, errcode + 0x300]) {
        const error = node(code);
        const described = describeFailure('f', error);
        expect(described).toBeInstanceOf(ErrorClass);
        expect(described).toMatchObject({ message: `f: ${sentence}`, cause: error });
        expect((described as Error).name).toBe(ErrorClass.name);
      }
    }
  });

  it.each([
    ['length', node(18)],
    ['reference', node(787)],
    ['reference', node(1811, 'FOREIGN KEY constraint failed')],
    ['other', node(1811)],
    ['unique', node(1555)],
    ['unique', node(2067)],
    ['unique', node(2579)],
    ['other', node(275)],
    ['other', node(1)],
    ['other', node(1, 'a foreign key mismatch')],
    ['reference', node(1, 'foreign key mismatch - "a" referencing "b"')],
  ])('a row is refused: %s, %o', (reason, error) => {
    expect(readRefusal(error)).toEqual({ reason, message: error.message });
  });

  it('what is about more than a row is no refusal of it', () => {
    for (const code of [3, 5, 6, 8, 10, 11, 13, 14, 23, 26, 99]) {
      expect(readRefusal(node(code))).toBeUndefined();
    }
  });
});
