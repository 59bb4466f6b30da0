-- Customers: their accounts, what they may do, and their sessions beside those of administrators.

CREATE TABLE customer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  username text NOT NULL,
  -- argon2id in its own text form
  password_hash text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- paths of screens that are taken away from this account
  unvalid_model text[] NOT NULL DEFAULT '{}',
  -- 1 = log in from white_ips only
  white_ip_status int NOT NULL DEFAULT 0 CHECK (white_ip_status IN (0, 1)),
  white_ips text[] NOT NULL DEFAULT '{}',
  -- NULL: not bound
  mobile text,
  email text,
  wechat text,
  -- cents; written by the ledger alone
  balance bigint NOT NULL DEFAULT 0,
  verify_status text NOT NULL DEFAULT 'none' CHECK (verify_status IN ('none', 'pending', 'verified', 'rejected')),
  real_name text NOT NULL DEFAULT '',
  -- sealed
  id_card text NOT NULL DEFAULT '',
  verified_at timestamptz,
  verify_reason text NOT NULL DEFAULT '',
  -- for the staff only
  note text NOT NULL DEFAULT '',
  -- language of mails and short messages; NULL: the installation's
  lang text,
  created_at timestamptz NOT NULL,
  password_at timestamptz NOT NULL,
  last_login_at timestamptz,
  last_login_ip text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX customer_username ON customer (lower(username));
CREATE UNIQUE INDEX customer_email ON customer (lower(email));
CREATE UNIQUE INDEX customer_mobile ON customer (mobile);
CREATE UNIQUE INDEX customer_wechat ON customer (wechat);
CREATE INDEX customer_words ON customer
  USING gin ((lower(username || ' ' || coalesce(mobile, '') || ' ' || coalesce(email, '') || ' ' || real_name)) gin_trgm_ops);

-- Permissions that operations for customers ask for, and the screens they belong to. Every customer holds all of them, but for those of screens
-- in the account's unvalid_model.
CREATE TABLE customer_permission (
  value text PRIMARY KEY,
  menu_id bigint NOT NULL REFERENCES menu
);

-- A session is an administrator's or a customer's.
ALTER TABLE session ALTER COLUMN admin_id DROP NOT NULL;
ALTER TABLE session ADD COLUMN customer_id bigint REFERENCES customer ON DELETE CASCADE;
ALTER TABLE session ADD CONSTRAINT session_owner CHECK (num_nonnulls(admin_id, customer_id) = 1);
CREATE INDEX session_customer ON session (customer_id);

SELECT grant_app();
