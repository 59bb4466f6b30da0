-- Tools of operators: questions to nodes, runtime variables, lookups.

-- A question that somebody waits for, and its answer until it is fetched.
CREATE TABLE node_question (
  id text PRIMARY KEY,
  node_id bigint NOT NULL REFERENCES node ON DELETE CASCADE,
  kind text NOT NULL,
  input jsonb NOT NULL,
  -- {answer, fault, detail}
  said jsonb,
  asked_at timestamptz NOT NULL
);
CREATE INDEX node_question_node ON node_question (node_id);

-- Runtime variables that have another value than their default; what there is stands in the contract.
CREATE TABLE runtime_variable (
  key text PRIMARY KEY,
  value jsonb NOT NULL
);
CREATE TABLE runtime_variable_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  -- Whether it went back to its default.
  reset boolean NOT NULL,
  by_name text NOT NULL,
  changed_at timestamptz NOT NULL,
  -- What it made: found again in config_revision.
  change uuid DEFAULT current_change()
);
CREATE INDEX runtime_variable_change_key ON runtime_variable_change (key, id DESC);

UPDATE menu SET enabled = true WHERE id IN (282, 283);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:tools:variable', 282, '{"zh": "查看运行变量", "en": "See runtime variables"}'),
  ('cdn:tools:memory', 283, '{"zh": "查看节点内存", "en": "See node memory"}');

SELECT grant_app();
