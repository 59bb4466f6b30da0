-- Lookups of operators from a node: DNS and the web.
UPDATE menu SET enabled = true WHERE id = 284;
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:tools:lookup', 284, '{"zh": "使用查询工具", "en": "Use the lookups"}');

SELECT grant_app();
