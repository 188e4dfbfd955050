-- SPDX-License-Identifier: GPL-3.0-or-later
-- Work for SQLite: a small shop.  The parameter :size scales it; everything printed is the same on
-- every run.

CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE article (id INTEGER PRIMARY KEY, title TEXT UNIQUE, price INTEGER CHECK (price > 0),
                      properties TEXT);
CREATE TABLE sale (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer,
                   article INTEGER REFERENCES article,
                   amount INTEGER, day TEXT);
CREATE TABLE stock (article INTEGER PRIMARY KEY REFERENCES article,
                    left_over INTEGER) WITHOUT ROWID;
CREATE TABLE log (what TEXT, n INTEGER);
CREATE INDEX sale_customer ON sale (customer, day);
CREATE INDEX sale_article ON sale (article);

CREATE TRIGGER sold AFTER INSERT ON sale BEGIN
  UPDATE stock SET left_over = left_over - new.amount WHERE article = new.article;
  INSERT INTO log SELECT 'low', new.article FROM stock
    WHERE article = new.article AND left_over < 0;
END;

BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300 * :size)
INSERT INTO customer
SELECT i, 'customer ' || (i * 7919 % 1000003), CASE i * 31 % 5 WHEN 0 THEN 'Aachen'
       WHEN 1 THEN 'Bremen' WHEN 2 THEN 'Celle'
                                                  WHEN 3 THEN 'Dresden' ELSE 'Essen' END
  FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO article
SELECT i, printf('%s %03d', CASE i % 3 WHEN 0 THEN 'bolt' WHEN 1 THEN 'nut' ELSE 'washer' END, i),
       5 + i * 37 % 200,
       json_object('colour', CASE i % 2 WHEN 0 THEN 'red' ELSE 'blue' END,
                   'sizes', json_array(i % 7, i % 11))
  FROM n;
INSERT INTO stock SELECT id, 100 + id FROM article;
WITH RECURSIVE n(i, r) AS (SELECT 1, 42 UNION ALL
  SELECT i + 1, (r * 1103515245 + 12345) % 2147483648 FROM n WHERE i < 3000 * :size)
INSERT INTO sale
SELECT i, 1 + r / 65536 % (300 * :size), 1 + r / 1024 % 120, 1 + r / 512 % 5,
       date('2024-01-01', '+' || (r / 4096 % 366) || ' days')
  FROM n;
COMMIT;

.mode column
SELECT 'sales', count(*), sum(amount), min(day), max(day) FROM sale;
SELECT town, count(*) AS sales, sum(amount * price) AS turnover
  FROM sale JOIN customer ON customer.id = sale.customer JOIN article ON article.id = sale.article
 GROUP BY town HAVING sales > 10 ORDER BY turnover DESC;
SELECT title, total, rank FROM (
  SELECT title, sum(amount) AS total, rank() OVER (ORDER BY sum(amount) DESC, title) AS rank
    FROM sale JOIN article ON article.id = sale.article GROUP BY article)
 WHERE rank <= 5;
SELECT month, turnover, sum(turnover) OVER (ORDER BY month) AS running FROM (
  SELECT strftime('%m', day) AS month, sum(amount * price) AS turnover
    FROM sale JOIN article ON article.id = sale.article GROUP BY month);
SELECT json_extract(properties, '$.colour') AS colour, sum(value)
  FROM article, json_each(properties, '$.sizes') GROUP BY colour;
SELECT count(*) FROM customer WHERE name LIKE '%77%' OR name GLOB '*1[0-4]*';
SELECT count(*), (SELECT count(DISTINCT n) FROM log) FROM log;

SELECT count(*) FROM customer AS c
 WHERE NOT EXISTS (SELECT 1 FROM sale WHERE customer = c.id AND amount > 3 AND day > '2024-06-30');
SELECT group_concat(t, ' ') FROM (
  SELECT t FROM (SELECT upper(substr(title, 1, 3)) || '-' || hex(id) AS t, id FROM article)
   WHERE id IN (SELECT article FROM sale GROUP BY article
                ORDER BY max(amount * id) DESC LIMIT 6) ORDER BY t);

-- Full text.
CREATE VIRTUAL TABLE note USING fts5 (body);
INSERT INTO note
SELECT c.name || ' from ' || c.town || ' likes ' || a.title
  FROM customer AS c JOIN article AS a ON a.id = 1 + c.id % 120;
SELECT count(*), min(body) FROM note WHERE note MATCH 'bremen AND bolt';
SELECT count(*) FROM note WHERE note MATCH '"likes nut" NOT celle';

-- Mistakes are reported, and the work goes on.
INSERT INTO article (id, title, price) VALUES (1, 'bolt 003', 1);
SELECT no_such_column FROM sale;

-- Change, undo, change again.
BEGIN;
DELETE FROM sale WHERE id % 3 = 0;
UPDATE sale SET amount = amount + 1 WHERE id % 5 = 0;
SELECT count(*), sum(amount) FROM sale;
ROLLBACK;
UPDATE article SET price = price * 11 / 10 WHERE id IN (SELECT article FROM sale GROUP BY article
              HAVING sum(amount) > 50);
SELECT sum(price) FROM article;
DELETE FROM sale WHERE day < '2024-03-01';
VACUUM;
SELECT count(*), sum(amount) FROM sale;
PRAGMA integrity_check;
