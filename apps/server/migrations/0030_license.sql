-- The system license: which installation this is, and the file that its supplier signed.

CREATE TABLE system_license (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- names this installation in license files; it stays over backup and restore
  installation_id uuid NOT NULL DEFAULT gen_random_uuid(),
  since timestamptz NOT NULL DEFAULT now(),
  -- as it was uploaded; NULL: the community license
  file text,
  added_at timestamptz,
  added_by text NOT NULL DEFAULT '',
  CHECK ((file IS NULL) = (added_at IS NULL))
);
INSERT INTO system_license DEFAULT VALUES;

UPDATE menu SET enabled = true WHERE id = 12;
INSERT INTO permission (value, menu_id, name) VALUES
  ('home:auth', 12, '{"zh": "查看系统授权", "en": "See the system license"}'),
  ('home:auth:save', 12, '{"zh": "更换授权文件", "en": "Change the license file"}');

SELECT grant_app();
