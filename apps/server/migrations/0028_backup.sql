-- Backups that were asked for here, by hand or by the schedule: how they went. The files themselves are the list of backups.
CREATE TABLE backup_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('hand', 'scheduled')),
  place text NOT NULL CHECK (place IN ('disk', 's3')),
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  name text NOT NULL DEFAULT '',
  bytes bigint NOT NULL DEFAULT 0,
  by_name text NOT NULL DEFAULT '',
  -- Key of the error table and what it is filled with; '' = none.
  error text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  started_at timestamptz NOT NULL,
  -- by the database's clock: silent for longer than a minute = its process is gone
  beat_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX backup_run_active ON backup_run (id) WHERE state IN ('waiting', 'running');

INSERT INTO menu (id, parent_id, url, type, sort, permission, enabled, consoles, meta) VALUES
  (928, 61, '/system/backup', 1, 12, 'system:backup', true, '{admin,dns-admin}', '{"title": {"zh": "备份与恢复", "en": "Backup and Restore"}}');
INSERT INTO permission (value, menu_id, name) VALUES
  ('system:backup', 928, '{"zh": "查看备份", "en": "See backups"}'),
  ('system:backup:make', 928, '{"zh": "立即备份", "en": "Make backups"}');

SELECT grant_app();
