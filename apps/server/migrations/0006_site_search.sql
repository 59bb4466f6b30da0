-- One narrow row a site for the list's search: the domains, each after a line feed, then a space and the CNAME target's first label.
-- Kept by triggers, so that no writer can forget it.

CREATE TABLE site_search (
  site_id bigint PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  names text COLLATE "C" NOT NULL
);

CREATE FUNCTION site_names(domains text[], slug text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT E'\n' || array_to_string(domains, E'\n') || ' ' || slug $$;

CREATE FUNCTION site_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO site_search (site_id, names) SELECT id, site_names(domains, slug) FROM written
  ON CONFLICT (site_id) DO UPDATE SET names = excluded.names WHERE site_search.names <> excluded.names;
  RETURN NULL;
END $$;
CREATE TRIGGER site_search_insert AFTER INSERT ON site
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION site_search_keep();
CREATE TRIGGER site_search_update AFTER UPDATE ON site
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION site_search_keep();

INSERT INTO site_search (site_id, names) SELECT id, site_names(domains, slug) FROM site;
CREATE INDEX site_search_trgm ON site_search USING gin (names gin_trgm_ops);
DROP INDEX site_domain_trgm;

SELECT grant_app();
