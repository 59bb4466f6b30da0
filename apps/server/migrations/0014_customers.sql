-- Customers' own consoles: whose sites and certificates are whose, acting for a customer or as a role, and what the lists of customers need.

-- A site or certificate without an owner is the operator's own.
UPDATE site SET user_id = NULL WHERE user_id IS NOT NULL AND NOT EXISTS (SELECT FROM customer c WHERE c.id = site.user_id);
ALTER TABLE site ADD CONSTRAINT site_customer FOREIGN KEY (user_id) REFERENCES customer;
CREATE INDEX site_user ON site (user_id, id) WHERE user_id IS NOT NULL;
ALTER TABLE cert ADD COLUMN user_id bigint REFERENCES customer ON DELETE SET NULL;
CREATE INDEX cert_user ON cert (user_id, id) WHERE user_id IS NOT NULL;

-- The narrow table of the site list knows the owner too.
ALTER TABLE site_search ADD COLUMN user_id bigint;
UPDATE site_search x SET user_id = s.user_id FROM site s WHERE s.id = x.site_id AND s.user_id IS NOT NULL;
CREATE INDEX site_search_user ON site_search (user_id, site_id) WHERE user_id IS NOT NULL;
CREATE OR REPLACE FUNCTION site_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO site_search (site_id, user_id, group_id, enabled, created_at, updated_at, names)
    SELECT id, user_id, group_id, enabled, created_at, updated_at, site_names(domains, slug) FROM written
  ON CONFLICT (site_id) DO UPDATE SET user_id = excluded.user_id, group_id = excluded.group_id, enabled = excluded.enabled,
    created_at = excluded.created_at, updated_at = excluded.updated_at, names = excluded.names;
  RETURN NULL;
END $$;

-- The list of customers is read in these orders.
CREATE INDEX customer_created ON customer (created_at, id);
CREATE INDEX customer_login ON customer (coalesce(last_login_at, '-infinity'), id);
CREATE INDEX customer_balance ON customer (balance, id);
CREATE INDEX customer_pending ON customer (id) WHERE verify_status = 'pending';
CREATE INDEX customer_disabled ON customer (id) WHERE NOT enabled;
-- When the present real name was handed in.
ALTER TABLE customer ADD COLUMN verify_asked_at timestamptz;

-- A login that an administrator holds in another's place: a customer's (acting_by), or with the rights of one role alone (acting_role). It ends
-- with the administrator's own login.
ALTER TABLE session ADD COLUMN parent_id bigint REFERENCES session ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN acting_by bigint REFERENCES admin ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN acting_role bigint REFERENCES role ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN acting_reason text NOT NULL DEFAULT '';
ALTER TABLE session ADD CONSTRAINT session_acting CHECK ((acting_by IS NULL) = (parent_id IS NULL));
CREATE INDEX session_parent ON session (parent_id) WHERE parent_id IS NOT NULL;

-- The way into such a login: good once and for a minute; only the code's SHA-256 is stored.
CREATE TABLE handover (
  code_hash bytea PRIMARY KEY,
  session_id bigint NOT NULL REFERENCES session ON DELETE CASCADE,
  admin_id bigint NOT NULL REFERENCES admin ON DELETE CASCADE,
  customer_id bigint REFERENCES customer ON DELETE CASCADE,
  role_id bigint REFERENCES role ON DELETE CASCADE,
  reason text NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK (num_nonnulls(customer_id, role_id) = 1)
);
CREATE INDEX handover_expires ON handover (expires_at);

-- Who really did it, where somebody acted in another's place.
ALTER TABLE audit_log ADD COLUMN acting_id bigint;
ALTER TABLE audit_log ADD COLUMN acting_name text NOT NULL DEFAULT '';
-- A customer's own log, and the log of all customers.
CREATE INDEX audit_log_own ON audit_log (actor_kind, actor_id, created_at, id);
CREATE INDEX audit_log_kind_action ON audit_log (actor_kind, action);
CREATE INDEX audit_log_about ON audit_log (target, created_at, id);

-- One permission for a screen, whichever console shows it.
UPDATE menu SET permission = 'cdn:log:users' WHERE id = 391;
UPDATE menu SET permission = 'home:overview' WHERE id = 701;
UPDATE menu SET permission = 'cdn:cache:list' WHERE id = 714;
UPDATE menu SET permission = 'cdn:account:info' WHERE id = 786;
UPDATE menu SET permission = 'cdn:account:log' WHERE id = 788;
-- The figures are those of sites: they belong to the CDN console.
UPDATE menu SET consoles = '{user}' WHERE id IN (700, 701);
INSERT INTO menu (id, parent_id, url, type, sort, permission, enabled, consoles, meta) VALUES
  (702, NULL, '/home', 0, 7, NULL, false, '{dns-user}', '{"title": {"zh": "首页", "en": "Home"}, "icon": "home"}'),
  (703, 702, '/home/overview', 1, 1, 'home:overview', false, '{dns-user}', '{"title": {"zh": "概览", "en": "Overview"}}');
UPDATE menu SET enabled = true WHERE id IN (25, 261, 39, 391, 511, 700, 701, 710, 711, 712, 713, 714, 732, 746, 748, 760, 772, 786, 788);
INSERT INTO permission (value, menu_id, name) VALUES
  ('account:users:users', 511, '{"zh": "查看用户", "en": "See users"}'),
  ('account:users:users:save', 511, '{"zh": "新增与编辑用户", "en": "Add and edit users"}'),
  ('account:users:users:delete', 511, '{"zh": "删除用户", "en": "Delete users"}'),
  ('account:users:users:password', 511, '{"zh": "重置用户密码", "en": "Reset passwords of users"}'),
  ('account:users:users:verify', 511, '{"zh": "审核实名认证", "en": "Review real names"}'),
  ('account:users:users:impersonate', 511, '{"zh": "代用户登录", "en": "Act for users"}'),
  ('cdn:log:users', 261, '{"zh": "查看用户日志", "en": "See the log of users"}');
INSERT INTO customer_permission (value, menu_id) VALUES
  ('home:overview', 701),
  ('cdn:site:list', 712),
  ('cdn:site:save', 712),
  ('cdn:site:delete', 712),
  ('cdn:push:list', 712),
  ('cdn:push:run', 712),
  ('cdn:cache:list', 714),
  ('cdn:cache:purge', 714),
  ('cdn:cert:list', 715),
  ('cdn:cert:save', 715),
  ('cdn:account:info', 746),
  ('cdn:account:log', 748);

SELECT grant_app();
