-- A column of every type of PostgreSQL.
CREATE EXTENSION hstore;
CREATE EXTENSION citext;
CREATE TYPE label AS ENUM ('plain', '{pair}', 'it''s', '한글');
CREATE DOMAIN words AS text CHECK (VALUE <> 'none {pair}');
CREATE TYPE couple AS (name text, data bytea, n int);
CREATE TABLE numbers (
  id int PRIMARY KEY, a smallint, b bigint, c numeric(20,4), d real, e double precision, f money, g boolean, h bit(13),
  i bit varying(40), j date, k time, l timetz, m timestamp, n timestamptz, o interval, p uuid, q inet, r cidr, s macaddr,
  t point, u box, v circle, w int4range, x tstzrange, y int[], z oid, aa pg_lsn, ab xid);
CREATE TABLE texts (
  id int PRIMARY KEY, a text, b varchar(100), c char(60), d "char", e name, f citext, g words, h label, i json, j jsonb,
  k text[], l varchar(60)[], m hstore, n xml, o couple, p couple[], q tsvector, r json[], s label[],
  t text GENERATED ALWAYS AS (a || '!') STORED, u text DEFAULT 'none {pair}', v words[], w hstore[], x text COLLATE "C");
CREATE TABLE bytes (id int PRIMARY KEY, a bytea, b bytea[], note text);
CREATE SCHEMA "other, 한글";
CREATE TABLE "other, 한글"."odd ""name"", (1)" ("select" int PRIMARY KEY, "a ""b""" text, "c,d)" bytea, "e'f" varchar(60));
CREATE TABLE no_key (note text, data bytea, n int);
CREATE TABLE key_of_bytes (id bytea PRIMARY KEY, note text);
CREATE TABLE listed (id int, kind varchar(60), note text) PARTITION BY RANGE (id);
CREATE TABLE listed_low PARTITION OF listed FOR VALUES FROM (0) TO (6);
CREATE TABLE listed_high PARTITION OF listed DEFAULT;
CREATE TABLE parent (id int, note text);
CREATE TABLE child (more text) INHERITS (parent);
-- after the rows
CREATE VIEW plain AS SELECT id, a FROM texts WHERE a <> '{pair}';
CREATE MATERIALIZED VIEW kept AS SELECT id, a FROM texts WHERE id <= 8;
CREATE RULE no_deletes AS ON DELETE TO numbers DO INSTEAD NOTHING;
COMMENT ON COLUMN texts.a IS 'it''s {pair} \ ; $$';
SELECT lo_from_bytea(4711, '\x00eda0bdedb880275c0aff');
SELECT lo_from_bytea(4712, '\x656461306264');
COMMENT ON LARGE OBJECT 4711 IS '{pair}';
