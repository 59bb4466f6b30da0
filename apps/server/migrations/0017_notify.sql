-- Notices on their way, the operator's own texts, what customers chose, verification codes.

-- One row for each notice and channel: queue and log of deliveries.
CREATE TABLE notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event text NOT NULL,
  channel text NOT NULL,
  -- user, admin, operator or address
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL DEFAULT 0,
  address text NOT NULL,
  lang text NOT NULL,
  -- values of the template's variables; secret ones stand in `sealed` until the notice is finished
  vars jsonb NOT NULL,
  sealed text,
  -- a second notice of the same key is not made
  dedup_key text,
  state text NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'skipped')),
  fault text NOT NULL DEFAULT 'none',
  attempts int NOT NULL DEFAULT 0,
  next_at timestamptz,
  -- whose delivery this is ends here; after it another may take over
  lease_until timestamptz,
  -- since then the peer may have it
  handed_at timestamptz,
  -- not worth sending later
  expires_at timestamptz,
  subject text NOT NULL DEFAULT '',
  answer text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX notice_due ON notice (next_at) WHERE state = 'queued';
CREATE INDEX notice_lease ON notice (lease_until) WHERE state = 'sending';
CREATE INDEX notice_address ON notice (channel, address, created_at);
CREATE INDEX notice_time ON notice (created_at, id);
CREATE INDEX notice_words ON notice USING gin ((lower(address || ' ' || subject || ' ' || answer)) gin_trgm_ops);
CREATE UNIQUE INDEX notice_dedup ON notice (dedup_key, channel, address) WHERE dedup_key IS NOT NULL;

CREATE TABLE notice_template (
  event text NOT NULL,
  channel text NOT NULL,
  lang text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (event, channel, lang)
);

-- What a customer chose; no row = as it is by default.
CREATE TABLE notice_preference (
  customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
  event text NOT NULL,
  channels text[] NOT NULL,
  PRIMARY KEY (customer_id, event)
);

-- A customer's own receivers.
CREATE TABLE notice_receiver (
  customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
  channel text NOT NULL CHECK (channel IN ('telegram', 'webhook')),
  address text NOT NULL,
  -- sealed
  secret text NOT NULL DEFAULT '',
  PRIMARY KEY (customer_id, channel)
);

CREATE TABLE verify_code (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel text NOT NULL,
  address text NOT NULL,
  purpose text NOT NULL,
  ip text NOT NULL,
  -- HMAC of the code, bound to address, purpose and salt
  code_hash bytea NOT NULL,
  salt bytea NOT NULL,
  tries int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- used, or replaced by a later one
  used_at timestamptz
);
CREATE INDEX verify_code_address ON verify_code (channel, address, created_at);
CREATE INDEX verify_code_ip ON verify_code (ip, created_at);
CREATE INDEX verify_code_time ON verify_code (created_at);

INSERT INTO menu (id, parent_id, url, type, sort, permission, enabled, consoles, meta) VALUES
  (900, 61, '/system/notify', 1, 11, 'system:notify', true, '{admin,dns-admin}', '{"title": {"zh": "通知", "en": "Notices"}}');
UPDATE menu SET enabled = true WHERE id IN (6, 61);
INSERT INTO permission (value, menu_id, name) VALUES
  ('system:notify', 900, '{"zh": "查看通知", "en": "See notices"}'),
  ('system:notify:save', 900, '{"zh": "编辑通知模板与渠道", "en": "Edit templates and channels of notices"}'),
  ('system:notify:test', 900, '{"zh": "发送测试通知", "en": "Send test notices"}');

SELECT grant_app();
