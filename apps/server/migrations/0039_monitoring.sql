-- Monitoring of nodes: who probes, the newest results, and what they come to.

CREATE TABLE monitor (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('agent', 'outside')),
  -- of an agent: its node; of an outside monitor: the name that it gives itself
  node_id bigint REFERENCES node ON DELETE CASCADE,
  name text NOT NULL DEFAULT '',
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  CHECK ((kind = 'agent') = (node_id IS NOT NULL))
);
CREATE UNIQUE INDEX monitor_agent ON monitor (node_id) WHERE kind = 'agent';
CREATE UNIQUE INDEX monitor_outside ON monitor (name) WHERE kind = 'outside';

-- The newest results of one monitor about one port of one node, oldest first: bounded by itself, and written in place.
CREATE TABLE probe_track (
  node_id bigint NOT NULL REFERENCES node ON DELETE CASCADE,
  monitor_id int NOT NULL REFERENCES monitor ON DELETE CASCADE,
  port int NOT NULL,
  -- Unix ms of the newest
  last_at bigint NOT NULL,
  ats bigint[] NOT NULL,
  -- see modules/monitor/outcome.ts
  outcomes int[] NOT NULL,
  PRIMARY KEY (node_id, monitor_id, port)
) WITH (fillfactor = 60);

-- What the monitors together say of a node. `failing` and `since` stay as they were while the health is unknown.
CREATE TABLE node_health (
  node_id bigint PRIMARY KEY REFERENCES node ON DELETE CASCADE,
  health text NOT NULL CHECK (health IN ('ok', 'failing', 'unknown')),
  failing boolean NOT NULL,
  since timestamptz NOT NULL
);
CREATE INDEX node_health_word ON node_health (health) WHERE health <> 'ok';

-- When a node began to fail or came back, and on whose evidence.
CREATE TABLE node_health_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  node_id bigint NOT NULL REFERENCES node ON DELETE CASCADE,
  at timestamptz NOT NULL,
  failing boolean NOT NULL,
  fail_percent double precision NOT NULL,
  fails int NOT NULL,
  total int NOT NULL,
  -- names of the monitors that said so
  monitors text[] NOT NULL
);
CREATE INDEX node_health_change_node ON node_health_change (node_id, at);
CREATE INDEX node_health_change_time ON node_health_change (at);

UPDATE menu SET enabled = true WHERE id IN (23, 233, 234);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:dispatch:status', 234, '{"zh": "查看调度状态", "en": "See how monitors see the nodes"}');

SELECT grant_app();
