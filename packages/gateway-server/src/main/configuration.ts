import { type ChainConfig, parseChains, readNodeTimeout } from '@mintmark/evm-reader'
import { ConfigurationError, type EnvironmentReader } from '@mintmark/server-kit'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from '../domains/inventory/order-settings.ts'
import type { OidcSettings } from '../domains/people/people-auth.ts'
import { DEFAULT_PUBLISHABLE_LIMITS, type PublishableLimits } from '../http/publishable-authentication.ts'

/** The development chain mines only on demand and is never reorganized. */
const DEV_CHAIN = 84532

/** Reads the chains that orders are paid on, with their finality. */
export function readChains(env: EnvironmentReader): ChainConfig[] {
  try {
    const chains = parseChains(env.text('CHAINS') ?? '', env.text('FINALITY'), (id) => ({
      depth: id === DEV_CHAIN ? 1 : 12,
    }))
    const requestTimeoutMs = readNodeTimeout(env)
    return chains.map((chain) => ({ ...chain, requestTimeoutMs }))
  } catch (error) {
    // The parser's messages name the setting and contain no URL.
    throw error instanceof Error ? new ConfigurationError(error.message) : error
  }
}

export function readOrderSettings(env: EnvironmentReader): OrderSettings {
  const defaults = DEFAULT_ORDER_SETTINGS
  return {
    expirySeconds: env.integer('ORDER_EXPIRY_SECONDS', defaults.expirySeconds, 1, 30 * 86_400),
    awardExpirySeconds: env.integer('AWARD_EXPIRY_SECONDS', defaults.awardExpirySeconds, 1, 30 * 86_400),
    openOrders: env.integer('OPEN_ORDERS_PER_LISTING', defaults.openOrders, 1, 1000),
    openDraws: env.integer('OPEN_DRAWS_PER_WALLET', defaults.openDraws, 1, 1000),
    openDrawsPerCollection: env.integer(
      'OPEN_DRAWS_PER_COLLECTION',
      defaults.openDrawsPerCollection,
      1,
      1_000_000,
    ),
    unseenSeconds: env.integer('PAYMENT_UNSEEN_SECONDS', defaults.unseenSeconds, 1, 7 * 86_400),
    reservationSeconds: env.integer(
      'PAYMENT_RESERVATION_SECONDS',
      defaults.reservationSeconds,
      1,
      7 * 86_400,
    ),
    lateDays: env.integer('LATE_PAYMENT_DAYS', defaults.lateDays, 0, 365),
    watchBlocks: env.integer('REORG_WATCH_BLOCKS', defaults.watchBlocks, 0, 100_000),
    checkEveryMs: env.integer('ORDER_LOOK_EVERY_MS', defaults.checkEveryMs, 10, 60_000),
    leaseSeconds: env.integer('ORDER_LEASE_SECONDS', defaults.leaseSeconds, 1, 600),
  }
}

/** Reads the limits of calls with publishable keys. */
export function readPublishableLimits(env: EnvironmentReader): PublishableLimits {
  const { rateLimit, addressRateLimit } = DEFAULT_PUBLISHABLE_LIMITS
  return {
    rateLimit: {
      perSecond: env.integer('PUBLISHABLE_RATE_LIMIT_PER_SECOND', rateLimit.perSecond, 1),
      burst: env.integer('PUBLISHABLE_RATE_LIMIT_BURST', rateLimit.burst, 1),
    },
    addressRateLimit: {
      perSecond: env.integer('PUBLISHABLE_ADDRESS_LIMIT_PER_SECOND', addressRateLimit.perSecond, 1),
      burst: env.integer('PUBLISHABLE_ADDRESS_LIMIT_BURST', addressRateLimit.burst, 1),
    },
  }
}

const OIDC_NAMES = ['OIDC_NAME', 'OIDC_DISCOVERY_URL', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Reads the identity provider that people can sign in with: all of its settings, or none. */
export function readOidcSettings(env: EnvironmentReader): OidcSettings | undefined {
  const [name, , clientId, clientSecret] = OIDC_NAMES.map(env.text)
  const discoveryUrl = env.url('OIDC_DISCOVERY_URL')
  const present = OIDC_NAMES.find((each) => env.text(each) !== undefined)
  if (present === undefined) return undefined
  if (!name || !discoveryUrl || !clientId || !clientSecret) {
    const missing = OIDC_NAMES.find((each) => env.text(each) === undefined)
    throw new ConfigurationError(`${missing}: expected a value, because ${present} is set`)
  }
  if (discoveryUrl.protocol !== 'https:' && !LOOPBACK.test(discoveryUrl.hostname))
    throw new ConfigurationError('OIDC_DISCOVERY_URL: expected a URL that begins with https://')
  return { name, discoveryUrl: discoveryUrl.href, clientId, clientSecret }
}

/** Reads the time zone of the stores, an IANA name that both Intl and PostgreSQL accept. */
export function readTimeZone(env: EnvironmentReader): string {
  const name = env.text('STORE_TIME_ZONE') ?? 'UTC'
  if (name !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(name))
    throw new ConfigurationError('STORE_TIME_ZONE: expected an IANA time zone such as Europe/Berlin')
  return name
}
