-- Signing in: second factors, recovery codes, places an account was used from, allowed addresses of administrators, API keys, and the
-- short-lived tickets between two steps of a login.

ALTER TABLE admin ADD COLUMN white_ips text[] NOT NULL DEFAULT '{}';
ALTER TABLE admin ADD CONSTRAINT admin_white_ip_status CHECK (white_ip_status IN (0, 1));

-- Logged in with more than a password.
ALTER TABLE session ADD COLUMN strong boolean NOT NULL DEFAULT false;

CREATE TABLE second_factor (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  admin_id bigint REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
  name text NOT NULL,
  -- TOTP: the secret, sealed; the time step of the last code that was taken
  secret text NOT NULL DEFAULT '',
  last_step bigint,
  -- passkeys: as the browser and the authenticator gave them
  credential_id text UNIQUE,
  public_key bytea,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  -- domain that the passkey is bound to
  rp_id text NOT NULL DEFAULT '',
  -- NULL: still being set up
  confirmed_at timestamptz,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  CHECK (num_nonnulls(admin_id, customer_id) = 1)
);
CREATE INDEX second_factor_admin ON second_factor (admin_id);
CREATE INDEX second_factor_customer ON second_factor (customer_id);
CREATE UNIQUE INDEX second_factor_totp_admin ON second_factor (admin_id) WHERE kind = 'totp';
CREATE UNIQUE INDEX second_factor_totp_customer ON second_factor (customer_id) WHERE kind = 'totp';

CREATE TABLE recovery_code (
  -- HMAC; the code itself is nowhere
  code_hash bytea PRIMARY KEY,
  admin_id bigint REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  CHECK (num_nonnulls(admin_id, customer_id) = 1)
);
CREATE INDEX recovery_code_admin ON recovery_code (admin_id);
CREATE INDEX recovery_code_customer ON recovery_code (customer_id);

-- Between two steps: after the password, during the set-up of a passkey, on the way to an outside login and back.
CREATE TABLE login_ticket (
  -- SHA-256
  ticket_hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  admin_id bigint REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  data jsonb NOT NULL DEFAULT '{}',
  tries int NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  CHECK (num_nonnulls(admin_id, customer_id) <= 1)
);
CREATE INDEX login_ticket_expires ON login_ticket (expires_at);
CREATE INDEX login_ticket_admin ON login_ticket (admin_id);
CREATE INDEX login_ticket_customer ON login_ticket (customer_id);

-- Address networks and kinds of browser that an account was used from.
CREATE TABLE login_place (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  admin_id bigint REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  network text NOT NULL,
  agent text NOT NULL,
  seen_at timestamptz NOT NULL,
  CHECK (num_nonnulls(admin_id, customer_id) = 1)
);
CREATE UNIQUE INDEX login_place_admin ON login_place (admin_id, network, agent) WHERE admin_id IS NOT NULL;
CREATE UNIQUE INDEX login_place_customer ON login_place (customer_id, network, agent) WHERE customer_id IS NOT NULL;

CREATE TABLE api_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  admin_id bigint REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  name text NOT NULL,
  -- SHA-256; the key itself is nowhere
  key_hash bytea NOT NULL UNIQUE,
  -- its first characters, to tell keys apart
  hint text NOT NULL,
  scopes text[] NOT NULL,
  -- empty: from everywhere
  allowed_ips text[] NOT NULL DEFAULT '{}',
  enabled boolean NOT NULL DEFAULT true,
  -- NULL: never
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  used_at timestamptz,
  used_ip text NOT NULL DEFAULT '',
  CHECK (num_nonnulls(admin_id, customer_id) = 1)
);
CREATE INDEX api_key_admin ON api_key (admin_id, id);
CREATE INDEX api_key_customer ON api_key (customer_id, id);

-- Accounts of an outside OpenID provider that administrators log in with.
CREATE TABLE admin_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  admin_id bigint NOT NULL REFERENCES admin ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX admin_identity_admin ON admin_identity (admin_id);

-- One permission for keys, in all consoles. Administrators find theirs where their password is.
UPDATE menu SET permission = 'cdn:account:apikey' WHERE id = 787;
UPDATE menu SET enabled = true WHERE id IN (710, 732, 747, 760, 772, 787);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:account:apikey', 513, '{"zh": "管理自己的 API 密钥", "en": "Manage one''s own API keys"}'),
  ('account:users:admins:security', 512, '{"zh": "管理管理员的登录安全", "en": "Manage logins and second factors of admins"}'),
  ('account:users:users:security', 511, '{"zh": "管理用户的登录安全", "en": "Manage logins and second factors of users"}');
INSERT INTO customer_permission (value, menu_id) VALUES ('cdn:account:apikey', 747);

SELECT grant_app();
