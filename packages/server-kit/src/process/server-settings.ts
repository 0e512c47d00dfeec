import { ConfigurationError } from '../environment.ts'
import { listServerUrls } from '../postgres/index.ts'
import { flag, integer, list, text, url } from '../settings.ts'
import { logLevel } from './log.ts'

const running = '../guides/running-the-servers.md'
const MAX_SHUTDOWN_WAIT_MS = 600_000
/** At least 16 printable characters without spaces. */
const METRICS_TOKEN = /^[\x21-\x7e]{16,512}$/

/** The settings that every server has. */
export const serverSettings = {
  HOST: text('the address to listen on; 0.0.0.0 for all', { default: '127.0.0.1' }),
  PUBLIC_URL: url(
    'the address that callers use, as in API documents and QR codes. Its path is part of what callers sign, so a proxy may strip it',
    { defaultText: '`http://HOST:PORT`' },
  ),
  CORS_ORIGINS: list('comma-separated origins whose pages may make calls from browsers; `*` for all'),
  DATABASE_URL: text(
    `\`postgres://user:password@host:port/database\`, PostgreSQL 15 or later, or [several hosts](${running}#failover)`,
    { parse: parseDatabaseUrl, defaultText: 'required' },
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(
    'longer statements of a call are cancelled, and the call gets 503 with Retry-After',
    { default: 15_000, min: 100, max: 600_000 },
  ),
  SECRET_KEYS: text(
    'encrypt stored secrets: `id:key,…`, the newest first; a key is 32 bytes in base64 (`openssl rand -base64 32`)',
    { parse: parseSecretKeys, defaultText: 'required' },
  ),
  AUTO_MIGRATE: flag('true: `serve` migrates the schema of `DATABASE_URL`'),
  MAX_CONNECTIONS: integer('maximum number of HTTP connections; further ones are closed', {
    default: 1000,
    min: 1,
    max: 100_000,
  }),
  SHUTDOWN_DELAY_MS: integer(
    `how long the server still accepts connections after SIGTERM, while \`/ready\` responds with 503, so that load balancers move on; 0 for none. See [Stopping](${running}#stopping)`,
    { default: 10_000, max: MAX_SHUTDOWN_WAIT_MS },
  ),
  SHUTDOWN_IDLE_MS: integer('how long a connection must then have been idle before it is closed', {
    default: 5000,
    max: MAX_SHUTDOWN_WAIT_MS,
  }),
  TRUSTED_PROXY_HOPS: integer(
    'the number of proxies before the server that append the caller’s address to `X-Forwarded-For`; with 0 a call’s address is that of its connection. Calls refused with 401 are limited by address',
    { default: 0, max: 10 },
  ),
  METRICS_PORT: integer('a port that serves only `/metrics`', { defaultText: '', max: 65_535 }),
  METRICS_HOST: text('the address of that port', { default: '127.0.0.1' }),
  METRICS_TOKEN: text(
    'at least 16 characters that `/metrics` expects as a bearer token. Without `METRICS_PORT` the metrics are on the server’s own port. With neither they are not served',
    { parse: parseMetricsToken },
  ),
  WEBHOOK_ALLOW_PRIVATE: flag('true: webhooks may use http and private addresses; for development'),
  LOG_LEVEL: logLevel,
}

function parseDatabaseUrl(value: string | undefined): string {
  if (value === undefined)
    throw new ConfigurationError(
      'DATABASE_URL is required: postgres://user:password@host:port/database. To try the servers without a database of your own, run npx @mintmark/sandbox, which brings PostgreSQL',
    )
  listServerUrls(value)
  return value
}

function parseSecretKeys(value: string | undefined): string {
  if (value === undefined)
    throw new ConfigurationError(
      'SECRET_KEYS is required: id:key,… where a key is 32 bytes in base64 (openssl rand -base64 32)',
    )
  return value
}

function parseMetricsToken(value: string | undefined): string | undefined {
  if (value !== undefined && !METRICS_TOKEN.test(value))
    throw new ConfigurationError('METRICS_TOKEN: expected at least 16 printable characters without spaces')
  return value
}
