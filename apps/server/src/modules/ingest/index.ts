/** What other modules and main.ts use of ingest. */
export { CAP, FIGURES, FOLD_LOCK } from './fold.ts'
export { foreignRequests } from './foreign.ts'
export { createIngest, type Ingest } from './receive.ts'
export { type IngestService, startIngestService } from './service.ts'
export { type IngestState, readIngestState } from './state.ts'
export { openReady, type ReadyStore } from './store.ts'
export { statsTasks } from './tasks.ts'
