/** Backups of the whole control plane: one encrypted file, restored whole or not at all. */
export { backupCommands } from './commands.ts'
