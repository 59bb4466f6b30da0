/** What other modules and main.ts use of ingest. */
export { foreignRequests } from './foreign.ts'
export { createIngest, type Ingest } from './receive.ts'
export { statsRetention } from './retention.ts'
export { type IngestService, startIngestService } from './service.ts'
export { type IngestState, readIngestState } from './state.ts'
