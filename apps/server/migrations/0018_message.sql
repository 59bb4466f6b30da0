-- Messages and announcements, who they are for, and who has read them.

CREATE TABLE message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  -- sanitised HTML
  content text NOT NULL,
  -- 1 in-site, 2 announcement, 3 work order
  type int NOT NULL CHECK (type IN (1, 2, 3)),
  -- 1 = enabled
  status int NOT NULL CHECK (status IN (0, 1)),
  -- chosen: those of message_target
  target text NOT NULL CHECK (target IN ('all', 'users', 'admins', 'chosen')),
  -- path of a screen in the reader's console
  link text NOT NULL DEFAULT '',
  publish_at timestamptz NOT NULL,
  expire_at timestamptz,
  -- written by an administrator: stands on the screen of messages; the system's own do not
  managed boolean NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX message_managed ON message (id) WHERE managed;
-- Few: what many read. What one customer alone reads is found by message_target.
CREATE INDEX message_broad ON message (id) WHERE target <> 'chosen';

CREATE TABLE message_target (
  customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
  message_id bigint NOT NULL REFERENCES message ON DELETE CASCADE,
  PRIMARY KEY (customer_id, message_id)
);
CREATE INDEX message_target_message ON message_target (message_id);

CREATE TABLE message_read (
  reader_kind text NOT NULL CHECK (reader_kind IN ('admin', 'user')),
  reader_id bigint NOT NULL,
  message_id bigint NOT NULL REFERENCES message ON DELETE CASCADE,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (reader_kind, reader_id, message_id)
);
CREATE INDEX message_read_message ON message_read (message_id);

UPDATE menu SET enabled = true, permission = 'account:message:save' WHERE id = 531;
-- Whoever is logged in reads the own messages.
UPDATE menu SET enabled = true, permission = NULL WHERE id = 810;
INSERT INTO permission (value, menu_id, name) VALUES
  ('account:message:save', 531, '{"zh": "发布与编辑消息", "en": "Publish and edit messages"}'),
  ('account:message:delete', 531, '{"zh": "删除消息", "en": "Delete messages"}');

SELECT grant_app();
