import {
  type EnvironmentReader,
  readDatabaseTimeouts,
  readMaxConnections,
  readMetricsAccess,
  readMetricsOptions,
  readShutdownWaits,
  readTracingSettings,
} from '@mintmark/server-kit'
import { DEFAULT_STREAM_SETTINGS } from '../domains/events/stream/event-streams.ts'
import { readFacilitatorSettings } from '../facilitator/facilitator-settings.ts'
import { readIndexerSettings } from '../indexer/indexer-settings.ts'
import { DEFAULT_INDEXED_CONTRACTS, DEFAULT_RATE_LIMIT } from './app.ts'
import {
  readChains,
  readOidcSettings,
  readOrderSettings,
  readPublishableLimits,
  readTimeZone,
} from './configuration.ts'

/** Half of the connections, so that other projects always have some left. */
function getDefaultConcurrentCalls(connections: number): number {
  return Math.max(2, Math.floor(connections / 2))
}

/** Reads the settings of the gateway. @throws ConfigurationError that names the setting. */
export function readConfiguration(env: EnvironmentReader) {
  const connections = env.integer('DATABASE_CONNECTIONS', 20, 1, 1000)
  return {
    listen: {
      port: env.integer('GATEWAY_PORT', 4000, 0, 65_535),
      host: env.text('HOST') ?? '127.0.0.1',
      maxConnections: readMaxConnections(env),
    },
    shutdown: readShutdownWaits(env),
    publicUrl: env.url('PUBLIC_URL')?.href,
    eventStreams: {
      streamsPerProject: env.integer(
        'EVENT_STREAMS_PER_PROJECT',
        DEFAULT_STREAM_SETTINGS.streamsPerProject,
        0,
        100_000,
      ),
      streams: env.integer('EVENT_STREAMS', DEFAULT_STREAM_SETTINGS.streams, 0, 100_000),
      // Clients take a connection for lost after 45 seconds.
      heartbeatMs:
        env.integer('EVENT_HEARTBEAT_SECONDS', DEFAULT_STREAM_SETTINGS.heartbeatMs / 1000, 1, 30) * 1000,
    },
    eventRetentionDays: env.integer('EVENT_RETENTION_DAYS', 30, 1, 3650),
    webhookAllowPrivate: env.flag('WEBHOOK_ALLOW_PRIVATE', false),
    metrics: { access: readMetricsAccess(env), options: readMetricsOptions(env) },
    tracing: readTracingSettings(env, 'mintmark-gateway'),
    connections,
    timeouts: readDatabaseTimeouts(env),
    app: {
      corsOrigins: env.list('CORS_ORIGINS'),
      storeTimeZone: readTimeZone(env),
      skewSeconds: env.integer('CLOCK_SKEW_SECONDS', 300, 1, 3600),
      rateLimit: {
        perSecond: env.integer('RATE_LIMIT_PER_SECOND', DEFAULT_RATE_LIMIT.perSecond, 1),
        burst: env.integer('RATE_LIMIT_BURST', DEFAULT_RATE_LIMIT.burst, 1),
      },
      publishableLimits: readPublishableLimits(env),
      oidc: readOidcSettings(env),
      facilitator: readFacilitatorSettings(env),
      concurrentCalls: env.integer(
        'CONCURRENT_CALLS_PER_PROJECT',
        getDefaultConcurrentCalls(connections),
        1,
        10_000,
      ),
      indexedContracts: env.integer('INDEXED_CONTRACTS_PER_PROJECT', DEFAULT_INDEXED_CONTRACTS, 0, 1_000_000),
      trustedProxyHops: env.integer('TRUSTED_PROXY_HOPS', 0, 0, 10),
    },
    chains: readChains(env),
    orders: readOrderSettings(env),
    indexer: readIndexerSettings(env),
  }
}
export type Configuration = ReturnType<typeof readConfiguration>
