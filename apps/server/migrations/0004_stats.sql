-- Statistics: what nodes shipped. Requests only ever append here; one folder at a time adds the counters up, one shipper at a time
-- carries the raw lines to the analytics store. So no request waits for a row that another one updates.

-- Every batch that was taken, once; kept 30 days.
CREATE TABLE ingest_batch (
  node_id bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (node_id, id)
);
CREATE INDEX ingest_batch_at ON ingest_batch USING brin (at);

-- Counters that wait to be added to the rollups. A row goes in the transaction that adds it.
CREATE TABLE ingest_counter (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id bigint NOT NULL,
  at timestamptz NOT NULL,
  -- [{m: Unix seconds of the minute, s: site, r, h, o, i, g, c2, c3, c4, c5, b}], minutes already within bounds.
  counters jsonb NOT NULL,
  -- Counters and lines whose time was out of bounds; lines that the node had dropped.
  clamped integer NOT NULL,
  dropped bigint NOT NULL
);
-- Raw lines that wait for the analytics store: gzip of one JSON object a line.
CREATE TABLE ingest_raw (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  lines integer NOT NULL,
  -- Length of body, and of the lines in it.
  bytes integer NOT NULL,
  size integer NOT NULL,
  -- Set before the block is sent: the same rows go with the same token again after a crash.
  shipment uuid,
  body bytea NOT NULL
);
ALTER TABLE ingest_raw ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX ingest_raw_shipment ON ingest_raw (shipment, seq) WHERE shipment IS NOT NULL;
-- Queues: many rows come and go, few are there.
ALTER TABLE ingest_counter SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
ALTER TABLE ingest_raw SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- One row: what is not a figure of a site.
CREATE TABLE stats_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- When the newest counters arrived.
  newest_at timestamptz,
  clamped bigint NOT NULL DEFAULT 0,
  -- Raw lines lost: on nodes whose spool was full; here, because the analytics store was away too long; refused by the store as unreadable.
  dropped_node bigint NOT NULL DEFAULT 0,
  dropped_here bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  -- Since when the analytics store does not take lines, and what it said last.
  analytics_down_since timestamptz,
  analytics_error text NOT NULL DEFAULT ''
);
INSERT INTO stats_state DEFAULT VALUES;

-- Sums. `t` is the begin of the minute or hour (Unix seconds); `day` is a date in the installation's time zone.
CREATE TABLE rollup_minute (
  t bigint NOT NULL, site bigint NOT NULL,
  requests bigint NOT NULL, hits bigint NOT NULL, bytes_out bigint NOT NULL, bytes_in bigint NOT NULL, bytes_origin bigint NOT NULL,
  s2xx bigint NOT NULL, s3xx bigint NOT NULL, s4xx bigint NOT NULL, s5xx bigint NOT NULL, blocked bigint NOT NULL,
  PRIMARY KEY (t, site)
);
CREATE INDEX rollup_minute_site ON rollup_minute (site, t);
CREATE TABLE rollup_hour (LIKE rollup_minute, PRIMARY KEY (t, site));
CREATE INDEX rollup_hour_site ON rollup_hour (site, t);
CREATE TABLE rollup_day (LIKE rollup_minute);
ALTER TABLE rollup_day DROP COLUMN t;
ALTER TABLE rollup_day ADD COLUMN day date NOT NULL, ADD PRIMARY KEY (day, site);
CREATE INDEX rollup_day_site ON rollup_day (site, day);
-- The same by node, and of everything: the overview reads some thousand rows however many sites there are.
CREATE TABLE rollup_node (LIKE rollup_minute);
ALTER TABLE rollup_node DROP COLUMN site;
ALTER TABLE rollup_node ADD COLUMN node_id bigint NOT NULL, ADD PRIMARY KEY (t, node_id);
CREATE INDEX rollup_node_node ON rollup_node (node_id, t);
CREATE TABLE rollup_total (LIKE rollup_minute);
ALTER TABLE rollup_total DROP COLUMN site;
ALTER TABLE rollup_total ADD PRIMARY KEY (t);

-- The same rows are updated again and again while their minute, hour or day lasts: room for it on their own pages.
ALTER TABLE rollup_minute SET (fillfactor = 60);
ALTER TABLE rollup_hour SET (fillfactor = 60);
ALTER TABLE rollup_day SET (fillfactor = 60);
ALTER TABLE rollup_node SET (fillfactor = 60);
ALTER TABLE rollup_total SET (fillfactor = 60);

SELECT grant_app();
