import { type ChainConfig, parseChains } from '@mintmark/evm-reader'
import {
  ConfigurationError,
  type EnvironmentReader,
  readSettings,
  readTracingSettings,
  type SettingValues,
} from '@mintmark/server-kit'
import { DEFAULT_STREAM_SETTINGS } from '../domains/events/stream/event-streams.ts'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import type { MediaSettings } from '../domains/media/media-ports.ts'
import { createFolderStorage } from '../domains/media/storage/folder-storage.ts'
import { createS3Storage } from '../domains/media/storage/s3-storage.ts'
import { isLoopback, type MailSettings } from '../domains/people/mailer.ts'
import type { OidcSettings } from '../domains/people/people-auth.ts'
import { toFacilitatorSettings } from '../facilitator/facilitator-settings.ts'
import { DEFAULT_INDEXER_SETTINGS } from '../indexer/indexer-settings.ts'
import { gatewaySettings } from './settings.ts'

type Values = SettingValues<typeof gatewaySettings>

/** The development chain mines only on demand and is never reorganized. */
const DEV_CHAIN = 84532
/** A connection that is idle within a transaction for longer holds locks that its process has forgotten. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000

/** Reads the settings of the gateway. @throws ConfigurationError that names the setting. */
export function readConfiguration(env: EnvironmentReader) {
  const values = readSettings(gatewaySettings, env)
  return {
    listen: {
      port: values.GATEWAY_PORT,
      host: values.HOST,
      maxConnections: values.MAX_CONNECTIONS,
    },
    shutdown: { delayMs: values.SHUTDOWN_DELAY_MS, idleMs: values.SHUTDOWN_IDLE_MS },
    publicUrl: values.PUBLIC_URL?.href,
    eventStreams: {
      streamsPerProject: values.EVENT_STREAMS_PER_PROJECT,
      streams: values.EVENT_STREAMS,
      heartbeatMs: DEFAULT_STREAM_SETTINGS.heartbeatMs,
    },
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    metrics: { port: values.METRICS_PORT, host: values.METRICS_HOST, token: values.METRICS_TOKEN },
    tracing: readTracingSettings(env, 'mintmark-gateway'),
    connections: values.DATABASE_CONNECTIONS,
    readDatabaseUrl: values.READ_DATABASE_URL,
    timeouts: {
      statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
      idleInTransactionTimeoutMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    app: toAppConfiguration(values),
    chains: toChains(values),
    orders: toOrderSettings(values),
    indexer: DEFAULT_INDEXER_SETTINGS,
    media: toMediaSettings(values),
  }
}
export type Configuration = ReturnType<typeof readConfiguration>

const toAppConfiguration = (values: Values) => ({
  corsOrigins: values.CORS_ORIGINS,
  storeTimeZone: values.STORE_TIME_ZONE,
  skewSeconds: values.CLOCK_SKEW_SECONDS,
  rateLimit: { perSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST },
  publishableLimits: {
    rateLimit: {
      perSecond: values.PUBLISHABLE_RATE_LIMIT_PER_SECOND,
      burst: values.PUBLISHABLE_RATE_LIMIT_BURST,
    },
    addressRateLimit: {
      perSecond: values.PUBLISHABLE_ADDRESS_LIMIT_PER_SECOND,
      burst: values.PUBLISHABLE_ADDRESS_LIMIT_BURST,
    },
  },
  oidc: toOidcSettings(values),
  mail: toMailSettings(values),
  facilitator: toFacilitatorSettings(values.FACILITATOR_URL, values.FACILITATOR_OPERATOR_TOKEN),
  // Half of the connections by default, so that other projects always have some left.
  concurrentCalls:
    values.CONCURRENT_CALLS_PER_PROJECT ?? Math.max(2, Math.floor(values.DATABASE_CONNECTIONS / 2)),
  indexedContracts: values.INDEXED_CONTRACTS_PER_PROJECT,
  trustedProxyHops: values.TRUSTED_PROXY_HOPS,
})

/** The chains that orders are paid on, with their finality. */
function toChains(values: Values): ChainConfig[] {
  try {
    const chains = parseChains(values.CHAINS ?? '', values.FINALITY, (id) => ({
      depth: id === DEV_CHAIN ? 1 : 12,
    }))
    return chains.map((chain) => ({ ...chain, requestTimeoutMs: values.NODE_TIMEOUT_MS }))
  } catch (error) {
    // The parser's messages name the setting and contain no URL.
    throw error instanceof Error ? new ConfigurationError(error.message) : error
  }
}

const toOrderSettings = (values: Values): OrderSettings => ({
  ...DEFAULT_ORDER_SETTINGS,
  expirySeconds: values.ORDER_EXPIRY_SECONDS,
  awardExpirySeconds: values.AWARD_EXPIRY_SECONDS,
  openOrders: values.OPEN_ORDERS_PER_LISTING,
  openDraws: values.OPEN_DRAWS_PER_WALLET,
  openDrawsPerCollection: values.OPEN_DRAWS_PER_COLLECTION,
  unseenSeconds: values.PAYMENT_UNSEEN_SECONDS,
  reservationSeconds: values.PAYMENT_RESERVATION_SECONDS,
  lateDays: values.LATE_PAYMENT_DAYS,
})

/** Stores pictures in a folder unless a bucket is set. */
function toMediaSettings(values: Values): MediaSettings {
  const {
    MEDIA_S3_URL: url,
    MEDIA_S3_REGION: region,
    MEDIA_S3_ACCESS_KEY_ID: accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey,
    MEDIA_BYTES_PER_PROJECT: bytesPerProject,
  } = values
  if (url === undefined) return { storage: createFolderStorage(values.MEDIA_DIRECTORY), bytesPerProject }
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigurationError(
      'MEDIA_S3_ACCESS_KEY_ID, MEDIA_S3_SECRET_ACCESS_KEY: expected values, because MEDIA_S3_URL is set',
    )
  return {
    storage: createS3Storage({ url: url.href, region, accessKeyId, secretAccessKey }),
    bytesPerProject,
  }
}

const OIDC_NAMES = ['OIDC_NAME', 'OIDC_DISCOVERY_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** The identity provider that people can sign in with: all of its settings, or none. */
function toOidcSettings(values: Values): OidcSettings | undefined {
  const {
    OIDC_NAME: name,
    OIDC_DISCOVERY_URL: discoveryUrl,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = values
  const present = OIDC_NAMES.find((each) => values[each] !== undefined)
  if (present === undefined) return undefined
  if (!name || !discoveryUrl || !clientId || !clientSecret) {
    const missing = OIDC_NAMES.find((each) => values[each] === undefined)
    throw new ConfigurationError(`${missing}: expected a value, because ${present} is set`)
  }
  if (discoveryUrl.protocol !== 'https:' && !isLoopback(discoveryUrl.hostname))
    throw new ConfigurationError('OIDC_DISCOVERY_URL: expected a URL that begins with https://')
  return { name, discoveryUrl: discoveryUrl.href, clientId, clientSecret }
}

/** How mails are sent: both of the settings, with the address of their links, or none. */
function toMailSettings(values: Values): MailSettings | undefined {
  const { SMTP_URL: server, MAIL_FROM: from } = values
  if (server === undefined && from === undefined) return undefined
  if (server === undefined)
    throw new ConfigurationError('SMTP_URL: expected a value, because MAIL_FROM is set')
  if (from === undefined) throw new ConfigurationError('MAIL_FROM: expected a value, because SMTP_URL is set')
  // Without it links would have the address that the server listens on, which people cannot open.
  if (values.PUBLIC_URL === undefined)
    throw new ConfigurationError(
      'PUBLIC_URL: expected a value, because SMTP_URL is set and the links of mails begin with it',
    )
  return { server, from }
}
