-- Screens of accounts and permissions: the audit log, administrators, roles, menus, one's own password.

-- The log is read newest first, by action, by actor, by time, and searched for names, targets, addresses and request ids.
DROP INDEX audit_log_time;
CREATE INDEX audit_log_time ON audit_log (created_at, id);
CREATE INDEX audit_log_action ON audit_log (action, created_at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, created_at, id);
CREATE INDEX audit_log_words ON audit_log
  USING gin ((lower(actor_name || ' ' || target || ' ' || ip || ' ' || request_id)) gin_trgm_ops);

-- One log and one permission, in both variants.
UPDATE menu SET permission = 'cdn:log:admins' WHERE id = 392;
UPDATE menu SET enabled = true WHERE id IN (25, 262, 3, 39, 392);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:log:admins', 262, '{"zh": "查看管理员日志", "en": "See the log of admins"}');

SELECT grant_app();
