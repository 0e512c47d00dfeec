import { createChainChecks } from '@mintmark/evm-reader/doctor'
import {
  type Command,
  createSecretKey,
  readLogLevel,
  readStorageSettings,
  type StorageSettings,
} from '@mintmark/server-kit'
import {
  type Check,
  type Contradiction,
  createDatabaseCheck,
  createDoctorCommand,
  createPortChecks,
  createPublicUrlCheck,
  createSealProbe,
  createSecretsCheck,
  createSettingsCheck,
  createTracingChecks,
  type DatabaseProbe,
  readSettings,
  reportError,
  reportWarning,
  type SettingsSource,
} from '@mintmark/server-kit/doctor'
import { openGatewayDatabase } from '../database/database.ts'
import { checkSecretKeys } from '../keys/keys-store.ts'
import { gatewaySchema } from '../main/server.ts'
import { type Configuration, readConfiguration } from '../main/server-configuration.ts'
import { OTHER_CONNECTIONS } from '../main/server-databases.ts'

interface GatewaySettings extends Configuration {
  readonly storage: StorageSettings
}

/** How the gateway reads its settings. All others have defaults. */
export const gatewaySettings: SettingsSource<GatewaySettings> = {
  valid: {
    DATABASE_URL: 'postgres://127.0.0.1/valid',
    SECRET_KEYS: createSecretKey('valid'),
    // All or none of these are set.
    OIDC_NAME: 'valid',
    OIDC_DISCOVERY_URL: 'https://valid.example/',
    OIDC_CLIENT_ID: 'valid',
    OIDC_CLIENT_SECRET: 'valid',
    FACILITATOR_URL: 'https://valid.example/',
    FACILITATOR_OPERATOR_TOKEN: 'valid'.repeat(8),
  },
  read(env) {
    readLogLevel(env)
    return { storage: readStorageSettings(env), ...readConfiguration(env) }
  },
}

/** Options for tests. */
export interface DoctorOptions {
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

export function createGatewayDoctor(options: DoctorOptions = {}): Command {
  return createDoctorCommand((environment) => listChecks(environment, options))
}

function listChecks(environment: NodeJS.ProcessEnv, options: DoctorOptions): readonly Check[] {
  const checked = readSettings(environment, gatewaySettings)
  const { settings, invalid } = checked
  if (settings === undefined) return [createSettingsCheck(checked, [])]
  const { storage, listen, metrics } = settings
  const areSecretsValid = !invalid.has('SECRET_KEYS') && !invalid.has('DATABASE_URL')
  return [
    createSettingsCheck(checked, listContradictions(settings)),
    createSecretsCheck(areSecretsValid ? storage : undefined),
    createDatabaseCheck({
      url: invalid.has('DATABASE_URL') ? undefined : storage.databaseUrl,
      plan: gatewaySchema,
      extensions: ['pg_trgm', 'btree_gin'],
      capacity: invalid.has('DATABASE_CONNECTIONS')
        ? undefined
        : { calls: settings.connections, others: OTHER_CONNECTIONS },
      probes: areSecretsValid ? [probeSeals(storage.secretKeys)] : [],
      ...options,
    }),
    ...createChainChecks({
      chains: invalid.has('CHAINS') ? [] : settings.chains,
      logBlocks: settings.indexer.rangeBlocks,
      logSetting: 'INDEXER_RANGE_BLOCKS',
      ...options,
    }),
    ...createPortChecks({ ...listen, portSetting: 'GATEWAY_PORT' }, metrics.access),
    createPublicUrlCheck({
      publicUrl: settings.publicUrl,
      host: listen.host,
      trustedProxyHops: settings.app.trustedProxyHops,
    }),
    ...createTracingChecks(settings.tracing),
  ]
}

function listContradictions(settings: GatewaySettings): readonly Contradiction[] {
  const { connections, app, eventStreams, listen, metrics, chains, publicUrl } = settings
  return [
    {
      settings: ['CHAINS'],
      applies: chains.length === 0,
      outcome: reportWarning(
        'CHAINS is not set, so nothing can be listed or paid',
        'Set CHAINS to the nodes of each chain, such as 8453=https://…,https://…',
      ),
    },
    {
      settings: ['CONCURRENT_CALLS_PER_PROJECT', 'DATABASE_CONNECTIONS'],
      applies: app.concurrentCalls >= connections,
      outcome: reportWarning(
        `CONCURRENT_CALLS_PER_PROJECT (${app.concurrentCalls}) is not below DATABASE_CONNECTIONS (${connections}), so one project can use all connections`,
        `Set CONCURRENT_CALLS_PER_PROJECT to ${Math.max(2, Math.floor(connections / 2))}, or raise DATABASE_CONNECTIONS`,
      ),
    },
    {
      settings: ['EVENT_STREAMS', 'MAX_CONNECTIONS'],
      applies: eventStreams.streams >= listen.maxConnections,
      outcome: reportWarning(
        `EVENT_STREAMS (${eventStreams.streams}) is not below MAX_CONNECTIONS (${listen.maxConnections}), so streams can use all connections`,
        `Raise MAX_CONNECTIONS above ${eventStreams.streams}`,
      ),
    },
    {
      settings: ['METRICS_PORT', 'GATEWAY_PORT'],
      applies: listen.port !== 0 && metrics.access.port === listen.port,
      outcome: reportError(
        `METRICS_PORT and GATEWAY_PORT are both ${listen.port}`,
        'Set METRICS_PORT to another port, or remove it and set METRICS_TOKEN',
      ),
    },
    {
      settings: ['EVENT_RETENTION_DAYS'],
      applies: settings.eventRetentionDays < 2,
      outcome: reportWarning(
        'EVENT_RETENTION_DAYS is below 2, so an event can be deleted before the last attempt to deliver it',
        'Set EVENT_RETENTION_DAYS to 2 or more',
      ),
    },
    {
      settings: ['WEBHOOK_ALLOW_PRIVATE', 'PUBLIC_URL'],
      applies: settings.webhookAllowPrivate && publicUrl?.startsWith('https:') === true,
      outcome: reportWarning(
        'WEBHOOK_ALLOW_PRIVATE lets every project send requests into the private network of this machine',
        'Remove WEBHOOK_ALLOW_PRIVATE',
      ),
    },
  ]
}

/** Checks that the stored secrets of API keys, mint signers, webhooks and the console can be decrypted. */
function probeSeals(secretKeys: string): DatabaseProbe {
  const columns = [
    { table: 'gateway.api_key_secrets', column: 'sealed' },
    { table: 'gateway.minter_keys', column: 'sealed' },
    { table: 'gateway.people_secret', column: 'sealed' },
    { table: 'gateway.webhooks', column: 'secret' },
    { table: 'gateway.webhooks', column: 'previous_secret' },
  ]
  return createSealProbe(secretKeys, columns, async ({ url }, sealer) => {
    const database = openGatewayDatabase({ url, max: 1, applicationName: 'mintmark-doctor' })
    try {
      await checkSecretKeys(database.system, sealer)
    } finally {
      await database.close()
    }
  })
}

export const doctorCommands: Record<string, Command> = { doctor: createGatewayDoctor() }
