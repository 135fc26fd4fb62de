-- Sakila, a shop for films, in PostgreSQL (as Pagila has it): arrays, tsvector, enum, domain, partitions, functions.
CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17');
CREATE DOMAIN year AS integer CONSTRAINT year_check CHECK (VALUE >= 1901 AND VALUE <= 2155);
CREATE FUNCTION last_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_update = CURRENT_TIMESTAMP; -- it's '{pair}'
  RETURN NEW;
END $$;
CREATE FUNCTION _group_concat(text, text) RETURNS text IMMUTABLE LANGUAGE sql AS $_$
  SELECT CASE WHEN $2 IS NULL THEN $1 WHEN $1 IS NULL THEN $2 ELSE $1 || ', ' || $2 END $_$;
CREATE AGGREGATE group_concat(text) (SFUNC = _group_concat, STYPE = text);
CREATE TABLE actor (actor_id serial PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE country (country_id serial PRIMARY KEY, country text NOT NULL, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE city (city_id serial PRIMARY KEY, city text NOT NULL,
  country_id int NOT NULL REFERENCES country ON UPDATE CASCADE, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE address (address_id serial PRIMARY KEY, address text NOT NULL, address2 text, district text NOT NULL,
  city_id int NOT NULL REFERENCES city ON UPDATE CASCADE, postal_code text, phone varchar(20) NOT NULL,
  last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE category (category_id serial PRIMARY KEY, name varchar(25) NOT NULL, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE language (language_id serial PRIMARY KEY, name character(20) NOT NULL, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE store (store_id serial PRIMARY KEY, manager_staff_id int NOT NULL,
  address_id int NOT NULL REFERENCES address, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE staff (staff_id serial PRIMARY KEY, first_name text NOT NULL, last_name text NOT NULL,
  address_id int NOT NULL REFERENCES address, email text, store_id int NOT NULL REFERENCES store,
  active boolean NOT NULL DEFAULT true, username text NOT NULL, password text,
  last_update timestamptz NOT NULL DEFAULT now(), picture bytea);
ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff;
CREATE TABLE customer (customer_id serial PRIMARY KEY, store_id int NOT NULL REFERENCES store, first_name text NOT NULL,
  last_name text NOT NULL, email text, address_id int NOT NULL REFERENCES address, activebool boolean NOT NULL DEFAULT true,
  create_date date NOT NULL DEFAULT CURRENT_DATE, last_update timestamptz DEFAULT now(), active int);
CREATE TABLE film (film_id serial PRIMARY KEY, title text NOT NULL, description text, release_year year,
  language_id int NOT NULL REFERENCES language, original_language_id int REFERENCES language,
  rental_duration smallint NOT NULL DEFAULT 3, rental_rate numeric(4,2) NOT NULL DEFAULT 4.99, length smallint,
  replacement_cost numeric(5,2) NOT NULL DEFAULT 19.99, rating mpaa_rating DEFAULT 'G',
  last_update timestamptz NOT NULL DEFAULT now(), special_features text[], fulltext tsvector NOT NULL);
CREATE TABLE film_actor (actor_id int NOT NULL REFERENCES actor, film_id int NOT NULL REFERENCES film,
  last_update timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (actor_id, film_id));
CREATE TABLE film_category (film_id int NOT NULL REFERENCES film, category_id int NOT NULL REFERENCES category,
  last_update timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (film_id, category_id));
CREATE TABLE inventory (inventory_id serial PRIMARY KEY, film_id int NOT NULL REFERENCES film,
  store_id int NOT NULL REFERENCES store, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE rental (rental_id serial PRIMARY KEY, rental_date timestamptz NOT NULL,
  inventory_id int NOT NULL REFERENCES inventory, customer_id int NOT NULL REFERENCES customer, return_date timestamptz,
  staff_id int NOT NULL REFERENCES staff, last_update timestamptz NOT NULL DEFAULT now());
CREATE TABLE payment (payment_id serial, customer_id int NOT NULL REFERENCES customer, staff_id int NOT NULL REFERENCES staff,
  rental_id int NOT NULL REFERENCES rental, amount numeric(5,2) NOT NULL, payment_date timestamptz NOT NULL,
  note text, PRIMARY KEY (payment_date, payment_id)) PARTITION BY RANGE (payment_date);
CREATE TABLE payment_early PARTITION OF payment FOR VALUES FROM ('2000-01-01') TO ('2020-01-10');
CREATE TABLE payment_late PARTITION OF payment FOR VALUES FROM ('2020-01-10') TO ('2030-01-01');
CREATE INDEX film_fulltext_idx ON film USING gist (fulltext);
CREATE INDEX idx_title ON film (title);
CREATE UNIQUE INDEX idx_rental ON rental (rental_date, inventory_id, customer_id);
-- after the rows
CREATE TRIGGER film_fulltext_trigger BEFORE INSERT OR UPDATE ON film FOR EACH ROW
  EXECUTE FUNCTION tsvector_update_trigger('fulltext', 'pg_catalog.english', 'title', 'description');
CREATE TRIGGER last_updated BEFORE UPDATE ON actor FOR EACH ROW EXECUTE FUNCTION last_updated();
CREATE VIEW customer_list AS SELECT cu.customer_id AS id, cu.first_name || ' ' || cu.last_name AS name, a.address,
  a.postal_code AS "zip code", CASE WHEN cu.activebool THEN 'active {pair}' ELSE '' END AS notes
  FROM customer cu JOIN address a ON cu.address_id = a.address_id;
CREATE VIEW film_list AS SELECT film.film_id AS fid, group_concat(actor.first_name) AS actors
  FROM film JOIN film_actor ON film.film_id = film_actor.film_id JOIN actor USING (actor_id) GROUP BY film.film_id;
CREATE FUNCTION inventory_in_stock(p_inventory_id int) RETURNS boolean LANGUAGE plpgsql AS $_$
DECLARE v_rentals integer;
BEGIN
  SELECT count(*) INTO v_rentals FROM rental WHERE inventory_id = $1 AND return_date IS NULL;
  RETURN v_rentals = 0 AND 'it''s "{pair}" \' <> $body$ ' $body$;
END $_$;
COMMENT ON TABLE film IS 'films {pair} "that''s" \ all;';
COMMENT ON COLUMN film.title IS '{pair}';
ALTER TABLE actor ALTER last_name SET DEFAULT 'none {pair}';
ALTER TABLE actor ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_of_them ON actor USING (first_name <> '{pair}');
