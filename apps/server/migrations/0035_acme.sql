-- Certificates from certificate authorities by ACME (RFC 8555).

CREATE TABLE cert_authority (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  -- letsencrypt, letsencrypt-staging, zerossl, google, custom
  kind text NOT NULL,
  directory_url text NOT NULL,
  -- PEM; trusted beside the system's authorities, for this directory alone
  ca_bundle text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  eab_kid text NOT NULL DEFAULT '',
  -- Sealed, bound to "cert_authority <id> eab"; '' = none.
  eab_key_sealed text NOT NULL DEFAULT '',
  enabled boolean NOT NULL DEFAULT true,
  is_default boolean NOT NULL DEFAULT false,
  -- The account's private key, sealed, bound to "cert_authority <id> account". It is stored before the authority hears of it.
  account_key_sealed text NOT NULL DEFAULT '',
  account_url text NOT NULL DEFAULT '',
  account_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX cert_authority_name ON cert_authority (lower(name));
CREATE UNIQUE INDEX cert_authority_default ON cert_authority (is_default) WHERE is_default;
INSERT INTO cert_authority (name, kind, directory_url, is_default)
  VALUES ('Let''s Encrypt', 'letsencrypt', 'https://acme-v02.api.letsencrypt.org/directory', true);

-- As it is stored. That a certificate's time is over is seen by the clock, not written. What is applied for has names but no certificate yet.
ALTER TABLE cert ADD COLUMN status text NOT NULL DEFAULT 'own' CHECK (status IN ('unapplied', 'applying', 'succeeded', 'failed', 'own'));
-- NULL: uploaded
ALTER TABLE cert ADD COLUMN authority_id bigint REFERENCES cert_authority;
ALTER TABLE cert ADD COLUMN auto_renew boolean NOT NULL DEFAULT true;
ALTER TABLE cert ADD COLUMN not_before timestamptz;
ALTER TABLE cert ADD COLUMN serial text NOT NULL DEFAULT '';
ALTER TABLE cert ALTER COLUMN not_after DROP NOT NULL;
-- Failed renewals in a row, and before when the next one is not begun.
ALTER TABLE cert ADD COLUMN renew_fails int NOT NULL DEFAULT 0;
ALTER TABLE cert ADD COLUMN renew_after timestamptz;
-- When the authority would have it renewed (RFC 9773), and when to ask again.
ALTER TABLE cert ADD COLUMN ari_at timestamptz;
ALTER TABLE cert ADD COLUMN ari_next timestamptz;
ALTER TABLE cert ADD CONSTRAINT cert_source CHECK ((status = 'own') = (authority_id IS NULL));
ALTER TABLE cert ADD CONSTRAINT cert_whole CHECK (status IN ('unapplied', 'applying', 'failed') OR not_after IS NOT NULL);
CREATE INDEX cert_authority_id ON cert (authority_id) WHERE authority_id IS NOT NULL;

-- One try to get a certificate. Everything that a worker needs to go on where another one was killed.
CREATE TABLE cert_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cert_id bigint NOT NULL REFERENCES cert ON DELETE CASCADE,
  authority_id bigint NOT NULL REFERENCES cert_authority,
  reason text NOT NULL CHECK (reason IN ('apply', 'renew')),
  by_name text NOT NULL,
  names text[] NOT NULL,
  -- Sites that take the certificate when it is there.
  site_ids bigint[] NOT NULL DEFAULT '{}',
  step text NOT NULL DEFAULT 'waiting' CHECK (step IN ('waiting', 'ordering', 'publishing', 'validating', 'finalizing', 'done', 'failed')),
  -- The certificate (RFC 9773, 4.1) that this one takes the place of; ''.
  replaces text NOT NULL DEFAULT '',
  order_url text NOT NULL DEFAULT '',
  -- The new certificate's key, sealed, bound to "cert_order <id> key".
  key_sealed text NOT NULL DEFAULT '',
  -- [{scope, revision}] that bring the challenges to the nodes
  pushes jsonb NOT NULL DEFAULT '[]',
  published_at timestamptz,
  tries int NOT NULL DEFAULT 0,
  next_at timestamptz,
  -- Why it failed, or why it is tried again: {key, params}; the authority's own words.
  fault jsonb,
  detail text NOT NULL DEFAULT '',
  -- [{key, params}]
  warnings jsonb NOT NULL DEFAULT '[]',
  serial text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  step_at timestamptz NOT NULL,
  ended_at timestamptz,
  CHECK ((ended_at IS NOT NULL) = (step IN ('done', 'failed')))
);
-- Never two orders for one certificate at once.
CREATE UNIQUE INDEX cert_order_running ON cert_order (cert_id) WHERE ended_at IS NULL;
CREATE INDEX cert_order_cert ON cert_order (cert_id, id);
CREATE INDEX cert_order_authority ON cert_order (authority_id);

-- What edges answer for us: http://<host>/.well-known/acme-challenge/<token>
CREATE TABLE cert_challenge (
  host text NOT NULL,
  token text NOT NULL,
  group_id bigint NOT NULL REFERENCES node_group ON DELETE CASCADE,
  order_id bigint NOT NULL REFERENCES cert_order ON DELETE CASCADE,
  key_authorization text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (host, token)
);
CREATE INDEX cert_challenge_group ON cert_challenge (group_id);
CREATE INDEX cert_challenge_order ON cert_challenge (order_id);

UPDATE menu SET enabled = true WHERE id IN (237, 4, 412, 715);
UPDATE menu SET permission = 'cdn:cert:list' WHERE id = 715;
INSERT INTO permission (value, menu_id, name) VALUES
  ('cloud:ca', 412, '{"zh": "查看证书机构", "en": "See certificate authorities"}'),
  ('cloud:ca:save', 412, '{"zh": "编辑证书机构", "en": "Edit certificate authorities"}');

SELECT grant_app();
