-- Scheduled tasks, and the log of their runs, which is their queue too.

CREATE TABLE scheduled_task (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- came with the product, one of each kind
  builtin boolean NOT NULL DEFAULT false,
  params jsonb NOT NULL,
  cron text NOT NULL,
  description text NOT NULL DEFAULT '',
  enabled boolean NOT NULL,
  timeout_s int NOT NULL CHECK (timeout_s > 0),
  overlap text NOT NULL CHECK (overlap IN ('skip', 'queue', 'parallel')),
  -- what becomes of a run whose process was killed
  lost_rule text NOT NULL CHECK (lost_rule IN ('retry', 'fail')),
  -- null: paused
  next_at timestamptz,
  -- the zone in which next_at was reckoned
  time_zone text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX scheduled_task_builtin ON scheduled_task (kind) WHERE builtin;
CREATE INDEX scheduled_task_due ON scheduled_task (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE task_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- null: the task was deleted since
  task_id bigint REFERENCES scheduled_task ON DELETE SET NULL,
  kind text NOT NULL,
  description text NOT NULL,
  params jsonb NOT NULL,
  timeout_s int NOT NULL,
  lost_rule text NOT NULL CHECK (lost_rule IN ('retry', 'fail')),
  -- runs alone: not beside another run of its task
  exclusive boolean NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'timeout', 'lost', 'skipped')),
  trigger text NOT NULL CHECK (trigger IN ('clock', 'hand', 'retry')),
  started_by text NOT NULL DEFAULT '',
  attempt int NOT NULL DEFAULT 1,
  due_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- by the database's clock: silent for longer than a lease = its process is dead
  beat_at timestamptz,
  runner text NOT NULL DEFAULT '',
  progress int CHECK (progress BETWEEN 0 AND 100),
  output text NOT NULL DEFAULT '',
  result jsonb NOT NULL DEFAULT '{}',
  error text NOT NULL DEFAULT ''
);
CREATE INDEX task_run_waiting ON task_run (id) WHERE state = 'waiting';
CREATE INDEX task_run_beat ON task_run (beat_at) WHERE state = 'running';
-- Two processes cannot both begin a run of a task that runs alone.
CREATE UNIQUE INDEX task_run_alone ON task_run (task_id) WHERE state = 'running' AND exclusive;
CREATE INDEX task_run_active ON task_run (task_id) WHERE state IN ('waiting', 'running');
CREATE INDEX task_run_task ON task_run (task_id, id);
CREATE INDEX task_run_due ON task_run (due_at);

UPDATE menu SET enabled = true WHERE id IN (6, 62, 631, 632);
INSERT INTO permission (value, menu_id, name) VALUES
  ('system:schedule:task', 631, '{"zh": "查看计划任务", "en": "See scheduled tasks"}'),
  ('system:schedule:log', 632, '{"zh": "查看任务日志", "en": "See the task log"}'),
  ('system:schedule:task:save', 631, '{"zh": "新增、编辑与暂停计划任务", "en": "Add, edit and pause scheduled tasks"}'),
  ('system:schedule:task:run', 631, '{"zh": "立即执行计划任务", "en": "Run scheduled tasks now"}'),
  ('system:schedule:task:delete', 631, '{"zh": "删除计划任务", "en": "Delete scheduled tasks"}');

SELECT grant_app();
