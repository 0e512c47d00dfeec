import { createChainChecks } from '@mintmark/evm-reader/doctor'
import {
  type Command,
  createSecretKey,
  type EnvironmentReader,
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
import { WebhookStore } from '@mintmark/webhooks'
import { type Configuration, readConfiguration } from '../configuration.ts'
import { facilitatorSchema } from '../migrations/index.ts'
import { OTHER_CONNECTIONS } from '../server.ts'
import { facilitatorWebhooks } from '../webhooks/schema.ts'
import { createBatchProbe } from './doctor-batches.ts'
import { createRetirementProbe } from './doctor-retirement.ts'
import { createRemoteSignerCheck, createSignerChecks, createTransactionProbe } from './doctor-signers.ts'
import { createSolanaChecks } from './doctor-solana.ts'
import { createTreasuryCheck } from './doctor-treasury.ts'

interface FacilitatorSettings extends Configuration {
  readonly storage: StorageSettings
}

/** How the facilitator reads its settings. The valid ones replace those that are required and missing. */
export const facilitatorSettings: SettingsSource<FacilitatorSettings> = {
  valid: {
    DATABASE_URL: 'postgres://127.0.0.1/valid',
    SECRET_KEYS: createSecretKey('valid'),
    CHAINS: '1=http://127.0.0.1',
    FACILITATOR_SIGNER_KEYS: '1'.repeat(64),
    TREASURY_CHAIN: '1',
    TREASURY_ADDRESS: `0x${'1'.repeat(40)}`,
  },
  read(env: EnvironmentReader) {
    readLogLevel(env)
    return { storage: readStorageSettings(env), ...readConfiguration(env) }
  },
}

/** Options for tests. */
export interface DoctorOptions {
  /** Milliseconds. Default: the clock of this machine. */
  readonly now?: () => number
}

export function createFacilitatorDoctor(options: DoctorOptions = {}): Command {
  return createDoctorCommand((environment) => listChecks(environment, options))
}

/** The settings that decide which signers have a key. */
const SIGNER_SETTINGS = [
  'FACILITATOR_SIGNER_KEYS',
  'REMOTE_SIGNER_URL',
  'REMOTE_SIGNER_ADDRESSES',
  'RETIRED_SIGNERS',
] as const

/** Blocks per request for logs. A node that refuses receives smaller requests. */
const LOG_BLOCKS = 2_000

function listChecks(environment: NodeJS.ProcessEnv, options: DoctorOptions): readonly Check[] {
  const checked = readSettings(environment, facilitatorSettings)
  const { settings, invalid } = checked
  if (settings === undefined) return [createSettingsCheck(checked, [])]
  const { storage, host, port, metrics } = settings
  const isValid = (...names: string[]) => names.every((name) => !invalid.has(name))
  const chains = isValid('CHAINS') ? settings.chains : []
  const signers = isValid('FACILITATOR_SIGNER_KEYS') ? settings.signers : []
  const secretKeys = isValid('SECRET_KEYS', 'DATABASE_URL') ? storage.secretKeys : undefined
  return [
    createSettingsCheck(checked, listContradictions(settings)),
    createSecretsCheck(isValid('SECRET_KEYS', 'DATABASE_URL') ? storage : undefined),
    createDatabaseCheck({
      url: isValid('DATABASE_URL') ? storage.databaseUrl : undefined,
      plan: facilitatorSchema,
      extensions: [],
      capacity: isValid('DATABASE_CONNECTIONS')
        ? { calls: settings.connections, others: OTHER_CONNECTIONS }
        : undefined,
      probes: [
        ...(secretKeys === undefined ? [] : [probeSeals(secretKeys)]),
        createTransactionProbe(signers, chains),
        ...(isValid(...SIGNER_SETTINGS) ? [createRetirementProbe(signers, settings)] : []),
        // Only transactions of our signers are batched.
        createBatchProbe(settings.upstreamUrl === undefined && signers.length > 0 ? chains : []),
      ],
      ...options,
    }),
    ...createChainChecks({ chains, logBlocks: LOG_BLOCKS, ...options }),
    ...createSignerChecks(signers, chains, settings.price),
    ...(isValid('CHAINS', 'SOLANA_SIGNER_KEYS') ? createSolanaChecks(settings.svm) : []),
    ...(settings.remoteSigner === undefined ? [] : [createRemoteSignerCheck(settings.remoteSigner)]),
    ...(isValid('TREASURY_CHAIN', 'TREASURY_ADDRESS') ? [createTreasuryCheck(settings, chains)] : []),
    ...createPortChecks({ port, host, portSetting: 'FACILITATOR_PORT' }, metrics.access),
    createPublicUrlCheck({
      publicUrl: settings.publicUrl?.href,
      host,
      trustedProxyHops: settings.trustedProxyHops,
    }),
    ...createTracingChecks(settings.tracing),
  ]
}

function listContradictions(settings: FacilitatorSettings): readonly Contradiction[] {
  const { chains, metrics, port, unreadableNetworks, publicUrl, upstreamUrl, signers } = settings
  const readable = chains.map(({ id }) => `eip155:${id}`).filter((network) => unreadableNetworks.has(network))
  return [
    {
      settings: ['TREASURY_CHAIN', 'CHAINS'],
      applies: chains.every(({ id }) => id !== settings.treasuryChain),
      outcome: reportWarning(
        `TREASURY_CHAIN ${settings.treasuryChain} is not among CHAINS, so deposits are not credited`,
        `Add a node of chain ${settings.treasuryChain} to CHAINS`,
      ),
    },
    {
      settings: ['UNREADABLE_NETWORKS', 'CHAINS'],
      applies: readable.length > 0,
      outcome: reportWarning(
        `UNREADABLE_NETWORKS has ${readable.join(', ')}, which is among CHAINS`,
        'Remove it from UNREADABLE_NETWORKS: the chain decides unknown outcomes there',
      ),
    },
    {
      settings: ['UPSTREAM_FACILITATOR_URL', 'FACILITATOR_SIGNER_KEYS'],
      applies: upstreamUrl !== undefined && signers.length > 0,
      outcome: reportWarning(
        'UPSTREAM_FACILITATOR_URL is set, so the keys in FACILITATOR_SIGNER_KEYS and of REMOTE_SIGNER_URL are not used',
        'Remove one of the two',
      ),
    },
    {
      settings: ['METRICS_PORT', 'FACILITATOR_PORT'],
      applies: port !== 0 && metrics.access.port === port,
      outcome: reportError(
        `METRICS_PORT and FACILITATOR_PORT are both ${port}`,
        'Set METRICS_PORT to another port, or remove it and set METRICS_TOKEN',
      ),
    },
    {
      settings: ['AUDIT_INTERVAL_SECONDS'],
      applies: settings.auditIntervalSeconds === 0,
      outcome: reportWarning(
        'AUDIT_INTERVAL_SECONDS is 0, so nothing compares the ledger with the chains',
        'Remove AUDIT_INTERVAL_SECONDS: an audit runs every hour by default',
      ),
    },
    {
      settings: ['WEBHOOK_ALLOW_PRIVATE', 'PUBLIC_URL'],
      applies: settings.webhookAllowPrivate && publicUrl?.protocol === 'https:',
      outcome: reportWarning(
        'WEBHOOK_ALLOW_PRIVATE lets every account send requests into the private network of this machine',
        'Remove WEBHOOK_ALLOW_PRIVATE',
      ),
    },
  ]
}

/** Checks that the stored secrets of webhooks can be decrypted. */
function probeSeals(secretKeys: string): DatabaseProbe {
  const columns = [
    { table: 'facilitator.webhooks', column: 'secret' },
    { table: 'facilitator.webhooks', column: 'previous_secret' },
  ]
  return createSealProbe(secretKeys, columns, async (db, sealer) => {
    const [row] = await db.query<{ id: number; owner: number; secret: string }>(`
      select id, account_id as owner, secret from facilitator.webhooks
      where secret <> '' and status <> 'REMOVED' order by id desc limit 1`)
    if (row === undefined) return
    const sealed = { webhook_id: Number(row.id), owner: Number(row.owner), secret: row.secret }
    new WebhookStore(facilitatorWebhooks, sealer).openSecrets({
      ...sealed,
      previous_secret: '',
      is_rotating: false,
    })
  })
}

export const doctorCommands: Record<string, Command> = { doctor: createFacilitatorDoctor() }
