-- Whom it was told that a certificate comes to its end.

-- A certificate that is renewed has another end, and so it is told anew.
CREATE TABLE cert_notice (
  cert_id bigint NOT NULL REFERENCES cert ON DELETE CASCADE,
  not_after timestamptz NOT NULL,
  -- the customer; 0: the staff
  recipient bigint NOT NULL,
  -- days before the end by which it was told; 0: it is over
  days int NOT NULL CHECK (days >= 0),
  told_at timestamptz NOT NULL,
  PRIMARY KEY (cert_id, not_after, recipient, days)
);

SELECT grant_app();
