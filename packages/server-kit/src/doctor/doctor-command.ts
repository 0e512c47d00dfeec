import { readEnvironment } from '../environment.ts'
import type { MigrationPlan } from '../postgres/index.ts'
import type { Command } from '../process/command-line.ts'
import type { StorageSettings } from '../process/storage.ts'
import type { TracingSettings } from '../tracing/tracing-settings.ts'
import { type Check, failIf, type Problems, warnIf } from './check.ts'
import { createDatabaseCheck, type DatabaseCheck } from './check-database.ts'
import { createPublicUrlCheck, createTracingCheck, type ListenSettings } from './check-network.ts'
import { createServerCheck, type ServerCheckOptions } from './check-postgres.ts'
import { createAccessCheck, createSchemaCheck } from './check-schema.ts'
import { createSealCheck, createSecretsCheck } from './check-secrets.ts'
import { checkSettings, type SettingsSource } from './check-settings.ts'
import { createRedactor } from './redact.ts'
import { formatFindings, runChecks } from './run-checks.ts'

/** The settings that both servers have. */
interface CommonSettings {
  readonly storage: StorageSettings
  readonly connections: number
  readonly publicUrl: string | URL | undefined
  readonly webhookAllowPrivate: boolean
  readonly metrics: { readonly port: number | undefined }
  readonly tracing: TracingSettings | undefined
}

/** Whether none of some settings is missing or invalid. */
export type IsValid = (...names: readonly string[]) => boolean

/** What the command checks of a server. */
interface DoctorOptions<Settings extends CommonSettings> extends Omit<ServerCheckOptions, 'connections'> {
  readonly source: SettingsSource<Settings>
  readonly listen: (settings: Settings) => ListenSettings
  /** Lists settings that are valid alone and wrong together. Messages name the settings. */
  readonly contradictions: (settings: Settings) => Problems
  readonly plan: MigrationPlan
  /** Selects the stored secrets as `"table"`, `sealed`, `project` and `"row"`. */
  readonly sealed: string
  /** Checks of the server's own tables. They run when the schema fits the program. */
  readonly dataChecks: (settings: Settings, isValid: IsValid) => readonly DatabaseCheck[]
  readonly checks: (settings: Settings, isValid: IsValid) => readonly Check[]
}

/**
 * Creates the command that checks a server's settings and what they name: the database, the chains, the
 * network. It changes nothing and prints no secret. The exit status is 1 if there is an error.
 */
export function createDoctorCommand<Settings extends CommonSettings>(
  doctor: DoctorOptions<Settings>,
): Command {
  return {
    summary:
      'Checks the settings, the database, the chains, the clocks, the secrets and the network. Changes nothing. Exits with status 1 for an error.',
    flags: ['json'],
    async run({ options }) {
      const redact = createRedactor(readEnvironment(), Object.keys(doctor.source.declarations))
      const found = await runChecks(listChecks(doctor))
      // Before JSON escapes the characters of a secret.
      const findings = found.map(({ message, action, ...finding }) => ({
        ...finding,
        message: redact(message),
        ...(action !== undefined && { action: redact(action) }),
      }))
      console.log(options.json === 'true' ? JSON.stringify({ findings }, null, 2) : formatFindings(findings))
      if (findings.some(({ level }) => level === 'error')) process.exitCode = 1
    },
  }
}

function listChecks<Settings extends CommonSettings>(doctor: DoctorOptions<Settings>): readonly Check[] {
  const { settings, invalid, problems } = checkSettings(process.env, doctor.source)
  if (settings === undefined) return [createSettingsCheck(problems)]
  const isValid: IsValid = (...names) => !names.some((name) => invalid.has(name))
  const { storage, tracing } = settings
  const url = isValid('DATABASE_URL') ? storage.databaseUrl : undefined
  const listen = doctor.listen(settings)
  const contradictions = [...listContradictions(settings, listen), ...doctor.contradictions(settings)]
  const isStorageValid = isValid('SECRET_KEYS', 'DATABASE_URL')
  return [
    createSettingsCheck([
      ...problems,
      ...contradictions.filter((each) => isValid(...(each?.message.match(/[A-Z][A-Z0-9_]+/g) ?? []))),
    ]),
    ...(isStorageValid ? [createSecretsCheck(storage)] : []),
    ...(url === undefined
      ? []
      : [
          createDatabaseCheck(url, [
            createServerCheck({ ...doctor, connections: settings.connections }),
            createSchemaCheck(url, doctor.plan),
            createAccessCheck(doctor.plan),
            ...(isStorageValid ? [createSealCheck(storage.secretKeys, doctor.sealed)] : []),
            ...doctor.dataChecks(settings, isValid),
          ]),
        ]),
    createPublicUrlCheck(isValid('PUBLIC_URL') ? settings.publicUrl : undefined, listen),
    ...(tracing === undefined ? [] : [createTracingCheck(tracing)]),
    ...doctor.checks(settings, isValid),
  ]
}

const createSettingsCheck = (problems: Problems): Check => ({
  area: 'settings',
  name: 'The settings',
  run: async () => problems.filter((problem) => problem !== undefined),
})

const listContradictions = (settings: CommonSettings, { port, portSetting }: ListenSettings): Problems => [
  failIf(port !== 0 && settings.metrics.port === port)`METRICS_PORT and ${portSetting} are both ${port}
    Set METRICS_PORT to another port, or remove it and set METRICS_TOKEN`,
  warnIf(settings.webhookAllowPrivate && /^https:/.test(String(settings.publicUrl)))`
    WEBHOOK_ALLOW_PRIVATE lets tenants send requests into the private network of this machine
    Remove WEBHOOK_ALLOW_PRIVATE`,
]
