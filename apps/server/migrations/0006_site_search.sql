-- One narrow row a site for the list's search, with what a list is filtered and sorted by: rows of sites are wide and lie far apart.
-- Kept by triggers, so that no writer can forget it.

CREATE TABLE site_search (
  site_id bigint PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  group_id bigint NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- The domains, each after a line feed, then a space and the CNAME target's first label.
  names text COLLATE "C" NOT NULL
);

CREATE FUNCTION site_names(domains text[], slug text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT E'\n' || array_to_string(domains, E'\n') || ' ' || slug $$;

CREATE FUNCTION site_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO site_search (site_id, group_id, enabled, created_at, updated_at, names)
    SELECT id, group_id, enabled, created_at, updated_at, site_names(domains, slug) FROM written
  ON CONFLICT (site_id) DO UPDATE SET group_id = excluded.group_id, enabled = excluded.enabled, created_at = excluded.created_at,
    updated_at = excluded.updated_at, names = excluded.names;
  RETURN NULL;
END $$;
CREATE TRIGGER site_search_insert AFTER INSERT ON site
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION site_search_keep();
CREATE TRIGGER site_search_update AFTER UPDATE ON site
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION site_search_keep();

INSERT INTO site_search (site_id, group_id, enabled, created_at, updated_at, names)
  SELECT id, group_id, enabled, created_at, updated_at, site_names(domains, slug) FROM site;
CREATE INDEX site_search_trgm ON site_search USING gin (names gin_trgm_ops);
DROP INDEX site_domain_trgm;

SELECT grant_app();
