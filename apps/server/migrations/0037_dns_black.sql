-- The DNS blacklist.

CREATE TABLE dns_black (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- lower case, punycode, no final dot
  name text COLLATE "C" NOT NULL,
  -- labels from the top, each with a dot: a name comes right before all that is below it
  sort_key text COLLATE "C" NOT NULL,
  -- tree: the name and everything below it; name: the name alone
  scope text NOT NULL CHECK (scope IN ('tree', 'name')),
  enabled boolean NOT NULL,
  category text NOT NULL,
  remark text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX dns_black_name ON dns_black (name);
-- Enough to compile the list without a look at the rows.
CREATE INDEX dns_black_key ON dns_black (sort_key) INCLUDE (scope, enabled);
CREATE INDEX dns_black_category ON dns_black (category, id) WHERE category <> '';
CREATE INDEX dns_black_off ON dns_black (id) WHERE NOT enabled;
CREATE INDEX dns_black_alone ON dns_black (id) WHERE scope = 'name';

-- One row: what every change of the list writes, one change at a time.
CREATE TABLE dns_black_state (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  total bigint NOT NULL,
  active bigint NOT NULL,
  revision bigint NOT NULL,
  changed_at timestamptz
);
INSERT INTO dns_black_state (total, active, revision) VALUES (0, 0, 0);

-- Servers that fetch the compiled list.
CREATE TABLE dns_black_reader (
  ip text NOT NULL,
  name text NOT NULL,
  fetched_at timestamptz NOT NULL,
  -- SHA-256 of what it was given
  hash text NOT NULL,
  PRIMARY KEY (ip, name)
);

UPDATE menu SET enabled = true WHERE id IN (3, 34, 341);
INSERT INTO permission (value, menu_id, name) VALUES
  ('dns:black:config', 341, '{"zh": "查看 DNS 黑名单", "en": "See the DNS blacklist"}'),
  ('dns:black:config:save', 341, '{"zh": "编辑 DNS 黑名单", "en": "Edit the DNS blacklist"}'),
  ('dns:black:config:delete', 341, '{"zh": "删除 DNS 黑名单条目", "en": "Delete entries of the DNS blacklist"}');

SELECT grant_app();
