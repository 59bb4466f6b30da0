-- Service groups can be changed.

INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:group:save', 213, '{"zh": "编辑服务分组", "en": "Edit service groups"}');
