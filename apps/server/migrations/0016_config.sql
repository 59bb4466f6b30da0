-- Config records: settings with ids, state, order and history; uploads; screens of the system settings.

CREATE SEQUENCE setting_id START 1000;
ALTER TABLE setting
  -- counts for records that administrators made; known ones have the ids of the registry
  ADD COLUMN id bigint NOT NULL UNIQUE DEFAULT nextval('setting_id'),
  -- NULL: the registry's
  ADD COLUMN remark text,
  ADD COLUMN weight int,
  ADD COLUMN status int NOT NULL DEFAULT 1 CHECK (status IN (0, 1)),
  ADD COLUMN version int NOT NULL DEFAULT 1,
  ADD COLUMN updated_by text NOT NULL DEFAULT 'system';
ALTER SEQUENCE setting_id OWNED BY setting.id;

-- Every state of a record, secrets sealed as in the record itself.
CREATE TABLE setting_history (
  key text NOT NULL,
  version int NOT NULL,
  value jsonb NOT NULL,
  status int NOT NULL,
  remark text,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (key, version)
);

-- Files that people uploaded. The bytes are in the storage under `name`.
CREATE TABLE upload (
  name text PRIMARY KEY,
  purpose text NOT NULL,
  type text NOT NULL,
  size int NOT NULL,
  -- disk or s3: where it was put; a change of the storage leaves older files where they are
  store text NOT NULL CHECK (store IN ('disk', 's3')),
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX upload_created ON upload (created_at);

-- The dispatch config (23, 233) stays off until the dispatcher reads it.
UPDATE menu SET enabled = true WHERE id IN (4, 413, 6, 61, 611, 612, 613, 614, 615, 616, 618, 620);
INSERT INTO permission (value, menu_id, name) VALUES
  ('system:overview', 611, '{"zh": "查看系统概览", "en": "See the overview of the system"}'),
  ('system:website', 612, '{"zh": "查看网站设置", "en": "See website settings"}'),
  ('system:website:save', 612, '{"zh": "编辑网站设置", "en": "Edit website settings"}'),
  ('system:payment', 613, '{"zh": "查看支付设置", "en": "See payment settings"}'),
  ('system:payment:save', 613, '{"zh": "编辑支付设置", "en": "Edit payment settings"}'),
  ('system:verify', 614, '{"zh": "查看认证设置", "en": "See verification settings"}'),
  ('system:verify:save', 614, '{"zh": "编辑认证设置", "en": "Edit verification settings"}'),
  ('system:mail', 615, '{"zh": "查看邮件设置", "en": "See mail settings"}'),
  ('system:mail:save', 615, '{"zh": "编辑邮件设置", "en": "Edit mail settings"}'),
  ('system:sms', 616, '{"zh": "查看短信设置", "en": "See SMS settings"}'),
  ('system:sms:save', 616, '{"zh": "编辑短信设置", "en": "Edit SMS settings"}'),
  ('system:wechat', 617, '{"zh": "查看微信扫码设置", "en": "See WeChat scanning settings"}'),
  ('system:wechat:save', 617, '{"zh": "编辑微信扫码设置", "en": "Edit WeChat scanning settings"}'),
  ('system:login', 618, '{"zh": "查看登录与注册设置", "en": "See login and register settings"}'),
  ('system:login:save', 618, '{"zh": "编辑登录与注册设置", "en": "Edit login and register settings"}'),
  ('system:api', 619, '{"zh": "查看接口验证设置", "en": "See identity API settings"}'),
  ('system:api:save', 619, '{"zh": "编辑接口验证设置", "en": "Edit identity API settings"}'),
  ('system:install', 620, '{"zh": "查看节点安装设置", "en": "See node install settings"}'),
  ('cdn:dispatch:config', 233, '{"zh": "查看调度配置", "en": "See dispatch settings"}'),
  ('cdn:dispatch:config:save', 233, '{"zh": "编辑调度配置", "en": "Edit dispatch settings"}'),
  ('cloud:storage', 413, '{"zh": "查看对象存储", "en": "See object storage"}'),
  ('cloud:storage:save', 413, '{"zh": "编辑对象存储", "en": "Edit object storage"}');

SELECT grant_app();
