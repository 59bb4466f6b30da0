-- Reconciliation of the figures, and what has to be known for it.

ALTER TABLE stats_state
  -- The zone whose dates the days are, as the folder used it last, and since when; null: always this one.
  ADD COLUMN time_zone text,
  ADD COLUMN time_zone_since timestamptz,
  -- Raw lines before this moment (Unix seconds) were removed, by age or because the disk was low.
  ADD COLUMN raw_since bigint NOT NULL DEFAULT 0;

-- Raw lines that are known to be lost, by the hour in which they came or were reported; counters and lines whose time was put to a bound.
CREATE TABLE stats_loss (
  t bigint PRIMARY KEY,
  clamped bigint NOT NULL DEFAULT 0,
  dropped_node bigint NOT NULL DEFAULT 0,
  dropped_here bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0
);

CREATE TABLE reconcile_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('running', 'done', 'lost')),
  params jsonb NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  zone text NOT NULL,
  -- First day, and the end (Unix seconds) of the last hour that is compared.
  first_day date NOT NULL,
  until bigint NOT NULL,
  -- How far it is: day, hour of the day, last site. The next process goes on from here.
  at jsonb NOT NULL,
  -- Raw lines: all compared; nodes kept only some of them; the store went away; there is none.
  raw text NOT NULL DEFAULT 'compared' CHECK (raw IN ('compared', 'sampled', 'away', 'none')),
  -- Sums that were compared; those that differ, were repaired, are worth a look.
  compared bigint NOT NULL DEFAULT 0,
  gaps bigint NOT NULL DEFAULT 0,
  repaired bigint NOT NULL DEFAULT 0,
  open bigint NOT NULL DEFAULT 0,
  -- Days left out because the zone was changed meanwhile.
  skipped int NOT NULL DEFAULT 0,
  -- Requests without a raw line, and how many lines are known to be lost or on their way.
  -- Sites and hours with fewer raw lines than requests.
  short bigint NOT NULL DEFAULT 0,
  missing bigint NOT NULL DEFAULT 0,
  known bigint NOT NULL DEFAULT 0
);
CREATE INDEX reconcile_run_running ON reconcile_run (id) WHERE state = 'running';

CREATE TABLE reconcile_gap (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id bigint NOT NULL REFERENCES reconcile_run ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('hour', 'day', 'total', 'node', 'raw')),
  -- Begin of the hour or day.
  at timestamptz NOT NULL,
  -- null: of all sites
  site bigint,
  -- Sums by figure: what it should be, and what stands there.
  wanted jsonb NOT NULL,
  found jsonb NOT NULL,
  -- Requests.
  difference bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'repaired', 'doubtful', 'known'))
);
CREATE INDEX reconcile_gap_run ON reconcile_gap (run_id, difference DESC, id);

SELECT grant_app();
