-- Base: audit log, settings. Rights of the runtime role are given at the end of each migration by grant_app().
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE FUNCTION grant_app() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidegate_app') THEN
    GRANT USAGE ON SCHEMA public TO tidegate_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO tidegate_app;
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO tidegate_app;
    REVOKE INSERT, UPDATE, DELETE ON schema_migration FROM tidegate_app;
    REVOKE UPDATE, DELETE, TRUNCATE ON audit_log FROM tidegate_app;
  END IF;
END $$;

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  actor_kind text NOT NULL,
  actor_id bigint NOT NULL,
  actor_name text NOT NULL,
  ip text NOT NULL,
  user_agent text NOT NULL,
  request_id text NOT NULL,
  action text NOT NULL,
  target text NOT NULL,
  before jsonb,
  after jsonb
);
CREATE INDEX audit_log_time ON audit_log (created_at);
CREATE INDEX audit_log_target ON audit_log (target, id);

-- Whoever connects as the owner (an installation with one role) cannot change audit rows either.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Installation-wide values that are not settings of a screen: CA, time zone, sealed secrets.
CREATE TABLE installation (
  key text PRIMARY KEY,
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

SELECT grant_app();
