export type { Capacity } from './check-capacity.ts'
export { createDatabaseCheck, type DatabaseCheckOptions } from './check-database.ts'
export {
  createPortChecks,
  createPublicUrlCheck,
  isLocal,
  type ListenSettings,
  type PublicUrlSettings,
} from './check-network.ts'
export { createSealProbe, createSecretsCheck, type SealedColumn } from './check-secrets.ts'
export { type Contradiction, createSettingsCheck } from './check-settings.ts'
export { createTracingChecks } from './check-tracing.ts'
export type { DatabaseProbe, DatabaseReader } from './database-reader.ts'
export { createDoctorCommand } from './doctor-command.ts'
export {
  type Area,
  type Check,
  type Finding,
  type Level,
  type Outcome,
  reportError,
  reportOk,
  reportWarning,
} from './finding.ts'
export { type CheckedSettings, listSettingNames, readSettings, type SettingsSource } from './read-settings.ts'
export { runChecks } from './run-checks.ts'
