/** Tables of the analytics store, made at the start of the role `ingest`; each step runs once, in order, and may run again after a crash. */
import type { Analytics } from '../../platform/clickhouse.ts'

export const RAW_RETENTION_DAYS = 30

const STEPS: { name: string; sql: string }[] = [
  {
    name: '0001_request_log',
    // Questions are "this site, these hours": so the order. A day is a part of its own, so that old days go by dropping files.
    sql: `CREATE TABLE IF NOT EXISTS request_log (
      ts DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD(1)),
      site UInt32,
      node UInt32,
      rid String CODEC(ZSTD(1)),
      host LowCardinality(String),
      ip String CODEC(ZSTD(1)),
      method LowCardinality(String),
      scheme LowCardinality(String),
      uri String CODEC(ZSTD(1)),
      proto LowCardinality(String),
      status UInt16,
      out UInt64 CODEC(T64, ZSTD(1)),
      \`in\` UInt64 CODEC(T64, ZSTD(1)),
      org UInt64 CODEC(T64, ZSTD(1)),
      cache LowCardinality(String),
      ms UInt32 CODEC(T64, ZSTD(1)),
      oms Int32 CODEC(T64, ZSTD(1)),
      up LowCardinality(String),
      ua String CODEC(ZSTD(1)),
      ref String CODEC(ZSTD(1)),
      why LowCardinality(String),
      INDEX rid_bloom rid TYPE bloom_filter(0.01) GRANULARITY 4
    ) ENGINE = MergeTree
    PARTITION BY toYYYYMMDD(ts)
    ORDER BY (site, ts)
    TTL toDateTime(ts) + INTERVAL ${RAW_RETENTION_DAYS} DAY
    SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1`,
  },
]

/** Brings the store up to date; answers the names of the steps that were run. Throws when the store is away. */
export const ensureAnalyticsSchema = async (store: Analytics): Promise<string[]> => {
  await store.command(
    'CREATE TABLE IF NOT EXISTS schema_migration (name String, run_at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY name',
  )
  const done = new Set((await store.query<{ name: string }>('SELECT name FROM schema_migration')).map((r) => r.name))
  const missing = STEPS.filter((step) => !done.has(step.name))
  for (const step of missing) {
    await store.command(step.sql)
    await store.command(`INSERT INTO schema_migration (name) VALUES ('${step.name}')`)
  }
  return missing.map((step) => step.name)
}
