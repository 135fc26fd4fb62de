-- What is left of the years before utf8mb4: columns that lack the characters that a repair makes of pairs.
CREATE TABLE narrow (
  id INT PRIMARY KEY, a VARCHAR(60) CHARACTER SET utf8mb3, b TEXT CHARACTER SET utf8mb3, c VARCHAR(60) CHARACTER SET utf8mb4,
  d BLOB) DEFAULT CHARSET utf8mb3;
