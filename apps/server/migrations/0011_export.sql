-- Exports: whole lists as files, made by the worker for whoever asked.
CREATE TABLE export_job (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  list text NOT NULL,
  query jsonb NOT NULL,
  columns text[] NOT NULL,
  -- Who asked, with the rights of that moment.
  caller jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  row_count bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  cut boolean NOT NULL DEFAULT false,
  -- Key of the error table; '' = none.
  error text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX export_job_owner ON export_job (owner_kind, owner_id, id DESC);
CREATE INDEX export_job_expires ON export_job (expires_at);

SELECT grant_app();
