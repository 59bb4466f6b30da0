-- Work orders: conversations of customers with the staff.

CREATE TABLE work_order_category (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  sort int NOT NULL,
  enabled boolean NOT NULL
);
CREATE UNIQUE INDEX work_order_category_title ON work_order_category (lower(title));

CREATE TABLE work_order (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
  category_id bigint NOT NULL REFERENCES work_order_category,
  title text NOT NULL,
  -- 0 processing, 1 completed, 2 appeal processing, 3 closed
  status int NOT NULL CHECK (status BETWEEN 0 AND 3),
  -- the staff has answered
  replied boolean NOT NULL DEFAULT false,
  close_reason text NOT NULL DEFAULT '' CHECK (close_reason IN ('', 'user', 'staff', 'rejected')),
  solved boolean,
  appealed boolean NOT NULL DEFAULT false,
  rating int CHECK (rating BETWEEN 1 AND 5),
  rated_at timestamptz,
  -- it is the staff's turn
  waiting boolean NOT NULL,
  assignee_id bigint REFERENCES admin ON DELETE SET NULL,
  -- the newest message that the customer has seen
  seen_id bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  first_answer_at timestamptz,
  CHECK ((status = 3) = (close_reason <> ''))
);
CREATE INDEX work_order_customer ON work_order (customer_id, last_at, id);
CREATE INDEX work_order_last ON work_order (last_at, id);
CREATE INDEX work_order_created ON work_order (created_at, id);
CREATE INDEX work_order_waiting ON work_order (last_at, id) WHERE waiting;
CREATE INDEX work_order_open ON work_order (status, last_at) WHERE status <> 3;
CREATE INDEX work_order_category_of ON work_order (category_id);
CREATE INDEX work_order_assignee ON work_order (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX work_order_rated ON work_order (rated_at) WHERE rated_at IS NOT NULL;
CREATE INDEX work_order_words ON work_order USING gin (lower(title) gin_trgm_ops);

CREATE TABLE work_order_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id bigint NOT NULL REFERENCES work_order ON DELETE CASCADE,
  sender text NOT NULL CHECK (sender IN ('user', 'admin')),
  sender_id bigint NOT NULL,
  sender_name text NOT NULL,
  -- the administrator who wrote in the customer's place
  acting_name text NOT NULL DEFAULT '',
  -- what the message came with: rate, appeal, complete, reject, close, reopen
  event text NOT NULL DEFAULT '',
  -- plain text
  body text NOT NULL,
  -- addresses of uploads
  img text[] NOT NULL DEFAULT '{}',
  -- for the staff alone
  internal boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX work_order_message_order ON work_order_message (order_id, id);
CREATE INDEX work_order_message_asked ON work_order_message (id) WHERE sender = 'user';
CREATE INDEX work_order_message_img ON work_order_message USING gin (img) WHERE img <> '{}';

CREATE TABLE work_order_reply (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  title text NOT NULL,
  -- typed after a slash
  shortcut text NOT NULL,
  content text NOT NULL,
  sort int NOT NULL
);
CREATE UNIQUE INDEX work_order_reply_shortcut ON work_order_reply (shortcut) WHERE shortcut <> '';

-- Without a category no order could be opened.
INSERT INTO work_order_category (title, sort, enabled) VALUES ('技术支持 Technical', 1, true), ('财务 Billing', 2, true), ('其他 Other', 3, true);

UPDATE menu SET enabled = true WHERE id IN (26, 271, 272, 273, 274, 40, 401, 402, 403, 404, 800, 801, 802);
INSERT INTO permission (value, menu_id, name) VALUES
  ('cdn:work-order:list', 271, '{"zh": "查看工单", "en": "See work orders"}'),
  ('cdn:work-order:save', 271, '{"zh": "回复与处理工单", "en": "Answer and handle work orders"}'),
  ('cdn:work-order:delete', 271, '{"zh": "删除工单", "en": "Delete work orders"}'),
  ('cdn:work-order:category', 273, '{"zh": "管理工单分类", "en": "Manage work-order sorts"}'),
  ('cdn:work-order:reply', 274, '{"zh": "管理快捷回复", "en": "Manage quick replies"}');
INSERT INTO customer_permission (value, menu_id) VALUES ('cdn:work-order:list', 801);

SELECT grant_app();
