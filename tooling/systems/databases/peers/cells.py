#!/usr/bin/env python3
"""Compares the cells of two databases, of which one was loaded with the converted dump of the other.

Shares no code with what it checks: it asks the servers' catalogues what is text, repairs text by itself, and compares
all cells by their bytes in hex.

  cells.py read    --server postgres|mariadb --database NAME -- CLIENT [ARGUMENT]... > cells.json
  cells.py damage  --old FILE
  cells.py compare --old FILE --new FILE --label NAME [--tables A,B] [--except A,B] [--rows none]
                   [--definitions none] [--dumped-as utf8mb3|binary]

`damage` names the columns of text in which no row has to be repaired, or none to be rejected. `compare` exits with 1 if
anything differs, and prints each difference in a line of its own.
"""
import argparse
import json
import re
import subprocess
import sys

POSTGRES_COLUMNS = """
SELECT encode(textsend(n.nspname::text), 'hex'), encode(textsend(c.relname::text), 'hex'),
  encode(textsend(a.attname::text), 'hex'),
  CASE WHEN t.typtype = 'd' THEN (SELECT b.typname FROM pg_type b WHERE b.oid = t.typbasetype) ELSE t.typname END,
  CASE WHEN a.attnum = ANY (coalesce(i.indkey::int[], '{}')) THEN 'key' ELSE '' END
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
ORDER BY n.nspname, c.relname, a.attnum;
"""

# What stands beside the rows: texts of functions, views, comments, defaults, labels.
POSTGRES_DEFINITIONS = """
SELECT 'function ' || p.proname, encode(textsend(p.prosrc), 'hex') FROM pg_proc p JOIN pg_namespace n
  ON n.oid = p.pronamespace WHERE n.nspname NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'view ' || viewname, encode(textsend(definition), 'hex') FROM pg_views
  WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
UNION ALL SELECT 'default ' || adrelid::regclass || ' ' || adnum,
  encode(textsend(pg_get_expr(adbin, adrelid)), 'hex') FROM pg_attrdef
UNION ALL SELECT 'check ' || conname, encode(textsend(pg_get_constraintdef(oid)), 'hex') FROM pg_constraint
  WHERE connamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname IN ('pg_catalog', 'information_schema'))
UNION ALL SELECT 'label ' || t.typname || ' ' || e.enumsortorder, encode(textsend(e.enumlabel::text), 'hex')
  FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
UNION ALL SELECT 'comment ' || objoid::regclass || ' ' || objsubid, encode(textsend(description), 'hex')
  FROM pg_description WHERE classoid = 'pg_class'::regclass
    AND objoid IN (SELECT oid FROM pg_class WHERE relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace))
UNION ALL SELECT 'comment on object ' || objoid, encode(textsend(description), 'hex')
  FROM pg_description WHERE classoid = 'pg_largeobject'::regclass
UNION ALL SELECT 'trigger ' || tgname, encode(textsend(pg_get_triggerdef(oid)), 'hex') FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'policy ' || polname, encode(textsend(pg_get_expr(polqual, polrelid)), 'hex') FROM pg_policy
ORDER BY 1, 2;
"""

MARIADB_COLUMNS = """
SELECT HEX(c.TABLE_NAME), HEX(c.COLUMN_NAME), c.DATA_TYPE, COALESCE(c.CHARACTER_SET_NAME, ''), c.COLUMN_KEY
FROM information_schema.COLUMNS c JOIN information_schema.TABLES t USING (TABLE_SCHEMA, TABLE_NAME)
WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION;
"""

MARIADB_DEFINITIONS = """
SELECT CONCAT('routine ', name), HEX(body) FROM mysql.proc WHERE db = DATABASE()
UNION ALL SELECT CONCAT('event ', name), HEX(body) FROM mysql.event WHERE db = DATABASE()
UNION ALL SELECT CONCAT('trigger ', TRIGGER_NAME), HEX(ACTION_STATEMENT) FROM information_schema.TRIGGERS
  WHERE TRIGGER_SCHEMA = DATABASE()
UNION ALL SELECT CONCAT('view ', TABLE_NAME), HEX(VIEW_DEFINITION) FROM information_schema.VIEWS
  WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1, 2;
"""

# Types of PostgreSQL whose values are texts, or contain some. Of all others the text form is ASCII.
POSTGRES_BINARY = {'bytea'}
MARIADB_BYTES = {'binary', 'varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'}
MARIADB_SHAPES = {'geometry', 'point', 'linestring', 'polygon', 'multipoint', 'multilinestring', 'multipolygon',
                  'geometrycollection'}


def ask(client, sql):
    result = subprocess.run(client, input=sql.encode('latin-1'), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if result.returncode or result.stderr:
        sys.exit('%s\n%s' % (sql[:2000], result.stderr.decode('utf-8', 'replace')))
    return [line.split('\t') for line in result.stdout.decode('latin-1').split('\n') if line]


def unhex(text):
    return bytes.fromhex(text).decode('latin-1')


def read_postgres(client, _):
    tables = {}
    for schema, table, column, kind, key in ask(client, POSTGRES_COLUMNS):
        name = (unhex(schema), unhex(table))
        tables.setdefault(name, []).append((unhex(column), kind, key == 'key'))
    quote = lambda name: '"%s"' % name.replace('"', '""')
    sql, order = [], list(tables)
    for number, (name, columns) in enumerate(tables.items()):
        cells = [
            "coalesce(encode(%s, 'hex'), 'NULL')" % (
                quote(column) if kind in POSTGRES_BINARY else 'textsend((%s)::text)' % quote(column))
            for column, kind, _ in columns]
        sql.append("SELECT concat_ws(E'\\t', %d, %s) FROM ONLY %s.%s;" % (number, ', '.join(cells), *map(quote, name))
                   if not is_partitioned(client, name) else
                   "SELECT concat_ws(E'\\t', %d, %s) FROM %s.%s;" % (number, ', '.join(cells), *map(quote, name)))
    rows = {name: [] for name in order}
    for number, *cells in ask(client, '\n'.join(sql)) if sql else []:
        rows[order[int(number)]].append(cells)
    objects = ask(client, "SELECT oid, encode(lo_get(oid), 'hex') FROM pg_largeobject_metadata ORDER BY oid;")
    result = [{'table': '.'.join(name), 'columns': [[c, 'bytes' if k in POSTGRES_BINARY else k, key]
                                                   for c, k, key in tables[name]], 'rows': rows[name]}
              for name in order]
    result.append({'table': 'large objects', 'columns': [['oid', 'int4', True], ['data', 'bytes', False]],
                   'rows': [[oid.encode().hex(), data] for oid, data in objects]})
    return {'tables': result, 'definitions': ask(client, POSTGRES_DEFINITIONS)}


PARTITIONED = None


def is_partitioned(client, name):
    global PARTITIONED
    if PARTITIONED is None:
        sql = "SELECT encode(textsend(n.nspname::text), 'hex'), encode(textsend(relname::text), 'hex') " \
              "FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'p';"
        PARTITIONED = {(unhex(a), unhex(b)) for a, b in ask(client, sql)}
    return name in PARTITIONED


def read_mariadb(client, database):
    tables = {}
    for table, column, kind, charset, key in ask(client, MARIADB_COLUMNS):
        tables.setdefault(unhex(table), []).append((unhex(column), kind, charset, key == 'PRI'))
    quote = lambda name: '`%s`' % name.replace('`', '``')
    sql = []
    for number, (name, columns) in enumerate(tables.items()):
        cells = [
            'HEX(%s)' % quote(column) if charset or kind in MARIADB_BYTES or kind in MARIADB_SHAPES
            else 'HEX(CONCAT(%s + 0))' % quote(column) if kind == 'bit' else 'HEX(CONCAT(%s))' % quote(column)
            for column, kind, charset, _ in columns]
        sql.append('SELECT %d, %s FROM %s;' % (number, ', '.join(cells), quote(name)))
    order = list(tables)
    rows = {name: [] for name in order}
    for number, *cells in ask(client, '\n'.join(sql)) if sql else []:
        rows[order[int(number)]].append([cell if cell == 'NULL' else cell.lower() for cell in cells])

    def kind_of(kind, charset):
        if kind in MARIADB_BYTES or kind in MARIADB_SHAPES or charset == 'binary':
            return 'bytes'
        return 'text in ' + charset if charset else kind
    return {'tables': [{'table': name, 'columns': [[c, kind_of(k, s), key] for c, k, s, key in tables[name]],
                        'rows': rows[name]} for name in order],
            'definitions': [[name, body.lower()] for name, body in ask(client, MARIADB_DEFINITIONS)]}


# A high surrogate and a low one in three bytes each, as CESU-8 writes a character above U+FFFF.
PAIR = re.compile(rb'\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])')
SURROGATE = re.compile(rb'\xed[\xa0-\xbf][\x80-\xbf]')


def join_pair(match):
    a, b, c, d = (match.group(i)[0] for i in range(1, 5))
    high = 0xd000 | (a & 0x3f) << 6 | b & 0x3f
    low = 0xd000 | (c & 0x3f) << 6 | d & 0x3f
    return chr(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).encode('utf-8')


def repair(text):
    """The text as it should be; None if nothing can be made of it."""
    text = PAIR.sub(join_pair, text)
    if SURROGATE.search(text) or b'\0' in text:
        return None
    text.decode('utf-8')
    return text


NOT_UTF8 = {'text in utf16': 'utf-16-be', 'text in ucs2': 'utf-16-be', 'text in utf32': 'utf-32-be', 'text in latin1': 'cp1252'}


def expect(cell, kind, target, dumped_as):
    """What a cell has to become: hex, or None if its row has to be rejected."""
    if cell == 'NULL' or kind == 'bytes':
        return cell
    data = bytes.fromhex(cell)
    if dumped_as == 'utf8mb3':
        # The dump program itself writes a question mark for each character above U+FFFF.
        if kind == 'text in utf16':
            return data.decode('utf-16-be').translate(QUESTION).encode('utf-16-be').hex()
        data = re.sub(rb'[\xf0-\xf4][\x80-\xbf]{3}', b'?', data)
    if kind in NOT_UTF8 and target != kind:
        # The column has become utf8mb4. In the character set binary, what is UTF-8 is taken for that.
        is_raw = dumped_as == 'binary' and is_utf8(data)
        return (data if is_raw else data.decode(NOT_UTF8[kind]).encode('utf-8')).hex()
    if kind in NOT_UTF8:
        # A dump in the character set binary has these columns as they are, which is malformed as UTF-8.
        return None if dumped_as == 'binary' and not is_utf8(data) else cell
    text = repair(data)
    return None if text is None else text.hex()


class QuestionMarks(dict):
    def __missing__(self, code):
        return '?' if code > 0xffff else chr(code)


QUESTION = QuestionMarks()


def is_utf8(data):
    try:
        data.decode('utf-8')
        return b'\0' not in data
    except UnicodeDecodeError:
        return False


def normalize(cell, kind):
    """A cell without what depends on the order of its parts, which servers sort by bytes."""
    if cell == 'NULL' or kind not in ('jsonb', 'hstore', 'tsvector'):
        return cell
    text = bytes.fromhex(cell).decode('utf-8', 'surrogatepass')
    if kind == 'jsonb':
        return json.dumps(json.loads(text), sort_keys=True)
    if kind == 'tsvector':
        return ' '.join(sorted(re.findall(r"'(?:[^']|'')*'[^ ]*", text)))
    return ' '.join(sorted(re.findall(r'"(?:[^"\\]|\\.)*"=>(?:NULL|"(?:[^"\\]|\\.)*")', text)))


def find_undamaged(table):
    """The columns of text that have either no pair or nothing that has to be rejected."""
    found = []
    for index, (column, kind, _) in enumerate(table['columns']):
        if kind == 'bytes' or kind in NOT_UTF8:
            continue
        cells = [bytes.fromhex(row[index]) for row in table['rows'] if row[index] != 'NULL']
        has_text = any(max(cell, default=0) >= 0x80 for cell in cells)
        has_pair = any(PAIR.search(cell) for cell in cells)
        has_fault = any(repair(cell) is None for cell in cells)
        if has_text and not (has_pair and has_fault):
            found.append('%s.%s' % (table['table'], column))
    return found


def compare(old, new, args):
    problems = []
    say = lambda *parts: problems.append(' | '.join((args.label,) + tuple(str(part) for part in parts)))
    wanted = set(args.tables.split(',')) if args.tables else None
    unwanted = set(args.but.split(',')) if args.but else set()
    is_wanted = lambda name: (wanted is None or name in wanted or name.split('.')[-1] in wanted) \
        and name not in unwanted and name.split('.')[-1] not in unwanted
    found = {table['table']: table for table in new['tables']}
    counts = {'cells': 0, 'rows': 0, 'rejected': 0}
    for table in old['tables']:
        name = table['table']
        target = found.pop(repair(name.encode('latin-1')).decode('latin-1'), None)
        if not is_wanted(name):
            continue
        if target is None:
            say(name, 'the table is missing')
            continue
        columns, kinds = [c for c, _, _ in table['columns']], [k for _, k, _ in table['columns']]
        if columns != [c for c, _, _ in target['columns']]:
            say(name, 'columns differ', columns, [c for c, _, _ in target['columns']])
            continue
        targets = [k for _, k, _ in target['columns']]
        keys = [i for i, (_, _, key) in enumerate(table['columns']) if key]
        expected = []
        for row in table['rows'] if args.rows != 'none' else []:
            cells = [expect(cell, kind, new_kind, args.dumped_as) for cell, kind, new_kind in zip(row, kinds, targets)]
            if None in cells:
                counts['rejected'] += 1
            else:
                expected.append((cells, row))
        tidy = lambda cells: tuple(normalize(cell, kind) for cell, kind in zip(cells, kinds))
        key_of = (lambda cells: tuple(cells[i] for i in keys)) if keys else tidy
        actual = {}
        for row in target['rows']:
            actual.setdefault(key_of(row), []).append(row)
        counts['rows'] += len(expected)
        for cells, before in expected:
            rows = actual.get(key_of(cells))
            if not rows:
                say(name, 'missing row', 'key %s' % ','.join(cells[i] for i in keys), 'old %s' % ','.join(before))
                continue
            row = rows.pop()
            for column, kind, a, b, was in zip(columns, kinds, cells, row, before):
                counts['cells'] += 1
                if normalize(a, kind) != normalize(b, kind):
                    say(name, column, kind, 'key %s' % ','.join(cells[i] for i in keys), 'old %s' % was,
                        'expected %s' % a, 'new %s' % b)
        for key, rows in actual.items():
            for row in rows:
                say(name, 'row that should not be there', ','.join(row))
    if wanted is None:
        for name in found:
            say(name, 'table that should not be there')
        if args.definitions != 'none':
            strip = lambda items: sorted((name, repair(bytes.fromhex(body))) for name, body in items)
            before, after = strip(old['definitions']), strip(new['definitions'])
            for name, body in before:
                if 'large objects' in unwanted and name.startswith('comment on object'):
                    continue
                if (name, body) not in after:
                    say('definition', name, 'expected %s' % body.hex(),
                        'new %s' % ' / '.join(b.hex() for n, b in after if n == name))
    return problems, counts


def main():
    arguments = sys.argv[1:]
    client = []
    if '--' in arguments:
        at = arguments.index('--')
        arguments, client = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser()
    parser.add_argument('command', choices=('read', 'damage', 'compare'))
    parser.add_argument('--server', choices=('postgres', 'mariadb'))
    parser.add_argument('--database')
    parser.add_argument('--old')
    parser.add_argument('--new')
    parser.add_argument('--label', default='')
    parser.add_argument('--tables')
    parser.add_argument('--except', dest='but')
    parser.add_argument('--rows')
    parser.add_argument('--dumped-as', choices=('utf8mb3', 'binary'))
    parser.add_argument('--definitions')
    args = parser.parse_args(arguments)
    if args.command == 'read':
        read = read_postgres if args.server == 'postgres' else read_mariadb
        json.dump(read(client, args.database), sys.stdout)
        return 0
    with open(args.old) as file:
        old = json.load(file)
    if args.command == 'damage':
        print('\n'.join(column for table in old['tables'] for column in find_undamaged(table)))
        return 0
    with open(args.new) as file:
        new = json.load(file)
    problems, counts = compare(old, new, args)
    for problem in problems:
        print(problem)
    print(json.dumps(counts), file=sys.stderr)
    return 1 if problems else 0


sys.exit(main())
