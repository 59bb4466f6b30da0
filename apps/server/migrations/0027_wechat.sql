-- Customers' login by WeChat, and the checks of real names at the identity API.

-- The WeChat account that a customer logs in by. The union id is the same for all applications of one operator at WeChat and goes first; WeChat
-- gives none where the application belongs to no such union.
CREATE TABLE wechat_link (
  customer_id bigint PRIMARY KEY REFERENCES customer ON DELETE CASCADE,
  appid text NOT NULL,
  openid text NOT NULL,
  unionid text UNIQUE,
  nickname text NOT NULL,
  created_at timestamptz NOT NULL,
  UNIQUE (appid, openid)
);

-- What was asked at the identity API: limits the tries of a customer, and spares a second question about the same name and number.
CREATE TABLE identity_check (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customer ON DELETE CASCADE,
  -- HMAC of number and name; neither stands here
  person_hash bytea NOT NULL,
  provider text NOT NULL,
  -- NULL: not answered yet
  verdict text CHECK (verdict IN ('match', 'mismatch', 'unknown', 'failed')),
  -- answered from an earlier check
  cached boolean NOT NULL DEFAULT false,
  asked_at timestamptz NOT NULL
);
CREATE INDEX identity_check_person ON identity_check (person_hash, id);
CREATE INDEX identity_check_customer ON identity_check (customer_id, asked_at);
CREATE INDEX identity_check_asked ON identity_check (asked_at);

UPDATE menu SET enabled = true WHERE id IN (617, 619);
INSERT INTO permission (value, menu_id, name) VALUES
  ('system:api:test', 619, '{"zh": "测试接口验证", "en": "Try the identity API"}');

SELECT grant_app();
