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
-- Whoever is logged in may change the own password.
UPDATE menu SET permission = NULL WHERE id = 513;
UPDATE menu SET enabled = true WHERE id IN (25, 262, 3, 39, 392, 5, 51, 512, 513, 52, 521, 522);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:log:admins', 262, '{"zh": "查看管理员日志", "en": "See the log of admins"}'),
  ('account:users:admins', 512, '{"zh": "查看管理员", "en": "See admins"}'),
  ('account:users:admins:save', 512, '{"zh": "新增与编辑管理员", "en": "Add and edit admins"}'),
  ('account:users:admins:delete', 512, '{"zh": "删除管理员", "en": "Delete admins"}'),
  ('account:users:admins:password', 512, '{"zh": "重置管理员密码", "en": "Reset passwords of admins"}'),
  ('account:role:list', 521, '{"zh": "查看角色", "en": "See roles"}'),
  ('account:role:save', 521, '{"zh": "新增与编辑角色", "en": "Add and edit roles"}'),
  ('account:role:delete', 521, '{"zh": "删除角色", "en": "Delete roles"}'),
  ('account:role:menu', 522, '{"zh": "查看菜单", "en": "See menus"}'),
  ('account:role:menu:save', 522, '{"zh": "新增与编辑菜单", "en": "Add and edit menus"}'),
  ('account:role:menu:delete', 522, '{"zh": "删除菜单", "en": "Delete menus"}');

SELECT grant_app();
