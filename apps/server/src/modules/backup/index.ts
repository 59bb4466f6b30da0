/** Backups of the whole control plane: one encrypted file, restored whole or not at all. */
export { type Carrier, ending } from './carry.ts'
export { backupCommands } from './commands.ts'
export { type BackupModule, createBackupModule } from './module.ts'
export { resumeRestore } from './resume.ts'
