import {
  type ChainConfig,
  ConfigurationError,
  type EnvironmentReader,
  parseChains,
} from '@mintmark/server-kit'
import { DEFAULT_ORDER_SETTINGS, type OrderSettings } from './order-settings.ts'

/** The dev chain stands still when nobody uses it, and nobody reorganises it. */
const DEV_CHAIN = 84532

/** The chains that orders are paid on, with how deep a payment must lie. */
export function readChains(env: EnvironmentReader): ChainConfig[] {
  try {
    return parseChains(env.text('CHAINS') ?? '', env.text('FINALITY'), (id) => ({
      depth: id === DEV_CHAIN ? 1 : 12,
    }))
  } catch (error) {
    // The parser's messages name the setting and repeat no address.
    throw error instanceof Error ? new ConfigurationError(error.message) : error
  }
}

export function readOrderSettings(env: EnvironmentReader): OrderSettings {
  const usual = DEFAULT_ORDER_SETTINGS
  return {
    expirySeconds: env.integer('ORDER_EXPIRY_SECONDS', usual.expirySeconds, 1, 30 * 86_400),
    awardExpirySeconds: env.integer('AWARD_EXPIRY_SECONDS', usual.awardExpirySeconds, 1, 30 * 86_400),
    openOrders: env.integer('OPEN_ORDERS_PER_LISTING', usual.openOrders, 1, 1000),
    unseenSeconds: env.integer('PAYMENT_UNSEEN_SECONDS', usual.unseenSeconds, 1, 7 * 86_400),
    reservationSeconds: env.integer('PAYMENT_RESERVATION_SECONDS', usual.reservationSeconds, 1, 7 * 86_400),
    lateDays: env.integer('LATE_PAYMENT_DAYS', usual.lateDays, 0, 365),
    watchBlocks: env.integer('REORG_WATCH_BLOCKS', usual.watchBlocks, 0, 100_000),
    checkEveryMs: env.integer('ORDER_LOOK_EVERY_MS', usual.checkEveryMs, 10, 60_000),
    leaseSeconds: env.integer('ORDER_LEASE_SECONDS', usual.leaseSeconds, 1, 600),
  }
}

/** The stores' time zone, which Intl and PostgreSQL both know by its IANA name. */
export function readTimeZone(env: EnvironmentReader): string {
  const name = env.text('STORE_TIME_ZONE') ?? 'UTC'
  if (name !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(name))
    throw new ConfigurationError('STORE_TIME_ZONE is no IANA time zone, such as Europe/Berlin')
  return name
}
