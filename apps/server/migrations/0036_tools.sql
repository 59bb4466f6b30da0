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

UPDATE menu SET enabled = true WHERE id = 283;
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:tools:memory', 283, '{"zh": "查看节点内存", "en": "See node memory"}');

SELECT grant_app();
