import { integer, port, serverSettings, text, tracingSettings, url } from '@mintmark/server-kit'
import { DEFAULT_STREAM_SETTINGS } from '../domains/events/stream/event-streams.ts'
import { DEFAULT_ORDER_SETTINGS } from '../domains/inventory/order-settings.ts'
import { DEFAULT_MEDIA, DEFAULT_MEDIA_FOLDER } from '../domains/media/media-ports.ts'
import { DEFAULT_PUBLISHABLE_LIMITS } from '../http/publishable-authentication.ts'
import { DEFAULT_INDEXED_CONTRACTS, DEFAULT_RATE_LIMIT } from './app.ts'
import { parseReadDatabaseUrl, parseSender, parseSmtpUrl, parseTimeZone } from './setting-formats.ts'

const running = '../guides/running-the-servers.md'
const DAY = 86_400

/** How the server listens, and how much it does at a time. */
const serving = {
  GATEWAY_PORT: port('gateway', { default: 4000 }),
  ...serverSettings,
  DATABASE_CONNECTIONS: integer(
    'maximum number of connections; fourteen more are used: for short reads, for the schema, two for the indexer, two for events, three for the console and five for webhooks',
    { default: 20, min: 1, max: 1000 },
  ),
  READ_DATABASE_URL: text(
    `a [standby](${running}#read-replicas) of \`DATABASE_URL\`, from which lists and reports are read. Each process opens up to \`DATABASE_CONNECTIONS\` and one more to it`,
    { parse: parseReadDatabaseUrl },
  ),
  CLOCK_SKEW_SECONDS: integer(
    'tolerated difference between a call’s timestamp and the server’s clock, either way',
    { default: 300, min: 1, max: 3600 },
  ),
  RATE_LIMIT_PER_SECOND: integer(
    'sustained calls per second and key, in each process. A call counts once more for every 2 KiB of its body and 16 KiB of its response',
    { default: DEFAULT_RATE_LIMIT.perSecond, min: 1 },
  ),
  RATE_LIMIT_BURST: integer('burst of calls per key, in each process', {
    default: DEFAULT_RATE_LIMIT.burst,
    min: 1,
  }),
  CONCURRENT_CALLS_PER_PROJECT: integer(
    'concurrent calls per project, signed and of people in the console together, in each process; further ones get 429 with Retry-After. Keep it below `DATABASE_CONNECTIONS`',
    { defaultText: 'half of `DATABASE_CONNECTIONS`, at least 2', min: 1, max: 10_000 },
  ),
  PUBLISHABLE_RATE_LIMIT_PER_SECOND: integer(
    'the same limit for each publishable key, counted separately. Concurrent calls with publishable keys are half of `CONCURRENT_CALLS_PER_PROJECT` in addition to it',
    { default: DEFAULT_PUBLISHABLE_LIMITS.rateLimit.perSecond, min: 1 },
  ),
  PUBLISHABLE_RATE_LIMIT_BURST: integer('burst of calls per publishable key, in each process', {
    default: DEFAULT_PUBLISHABLE_LIMITS.rateLimit.burst,
    min: 1,
  }),
  PUBLISHABLE_ADDRESS_LIMIT_PER_SECOND: integer(
    'calls with publishable keys per second and client address, in each process. Behind a proxy this needs `TRUSTED_PROXY_HOPS`: otherwise all visitors share the address of the proxy',
    { default: DEFAULT_PUBLISHABLE_LIMITS.addressRateLimit.perSecond, min: 1 },
  ),
  PUBLISHABLE_ADDRESS_LIMIT_BURST: integer('burst of calls with publishable keys per client address', {
    default: DEFAULT_PUBLISHABLE_LIMITS.addressRateLimit.burst,
    min: 1,
  }),
  STORE_TIME_ZONE: text(
    'an IANA time zone, such as `Europe/Berlin`: membership cards are valid once per day of it, and card pages show times in it',
    { parse: parseTimeZone, defaultText: 'UTC' },
  ),
  OIDC_NAME: text(
    `the name of an identity provider (OpenID Connect) that people can [sign in with](${running}#an-identity-provider), as the sign-in page shows it. Set all four or none`,
  ),
  OIDC_DISCOVERY_URL: url('the URL of its discovery document'),
  OIDC_CLIENT_ID: text('the client that it has issued for this server'),
  OIDC_CLIENT_SECRET: text('the secret of that client'),
  SMTP_URL: text(
    `the [mail server](${running}#mails) that sends invitations, links for a new password and events: \`smtps://user:password@mail.example.com\`, or \`smtp:\` for STARTTLS. Set \`MAIL_FROM\` and \`PUBLIC_URL\` with it. Without it people copy the links`,
    { parse: parseSmtpUrl },
  ),
  MAIL_FROM: text('the sender of mails, such as `no-reply@example.com`', { parse: parseSender }),
  FACILITATOR_URL: url(
    'the address of a facilitator: operators of this server then [operate it](../facilitator-operator.md) in the console. Required with `FACILITATOR_OPERATOR_TOKEN`',
  ),
  FACILITATOR_OPERATOR_TOKEN: text('its `OPERATOR_TOKEN`'),
}

/** Chains, orders and what is indexed. */
const selling = {
  CHAINS: text(
    'the chains on which orders are paid: `84532=https://…,https://…,8453=https://…`, or JSON. Further addresses are fallbacks. Without chains nothing can be listed',
  ),
  FINALITY: text(
    'when a payment counts: a number of blocks on top of its own, or the node’s `finalized` or `safe`; for all chains, or per chain: `84532=2,8453=finalized`',
    { parse: (value) => value, defaultText: '12; 1 on 84532' },
  ),
  NODE_TIMEOUT_MS: integer(
    `how long a node may take for its whole response. Then it is [skipped](${running}#a-node-that-does-not-respond) until it responds`,
    { default: 10_000, min: 100, max: 60_000 },
  ),
  ORDER_EXPIRY_SECONDS: integer('how long an order waits for its payment', {
    default: DEFAULT_ORDER_SETTINGS.expirySeconds,
    min: 1,
    max: 30 * DAY,
  }),
  AWARD_EXPIRY_SECONDS: integer('the same for the order of an auction or an accepted offer', {
    default: DEFAULT_ORDER_SETTINGS.awardExpirySeconds,
    min: 1,
    max: 30 * DAY,
  }),
  OPEN_ORDERS_PER_LISTING: integer('open orders per wallet and listing, or per wallet and presale phase', {
    default: DEFAULT_ORDER_SETTINGS.openOrders,
    min: 1,
    max: 1000,
  }),
  OPEN_DRAWS_PER_WALLET: integer(
    'NFTs of a collection that `randomNft` has reserved for a wallet and that are neither signed nor ordered',
    { default: DEFAULT_ORDER_SETTINGS.openDraws, min: 1, max: 1000 },
  ),
  OPEN_DRAWS_PER_COLLECTION: integer('the same for all wallets', {
    default: DEFAULT_ORDER_SETTINGS.openDrawsPerCollection,
    min: 1,
    max: 1_000_000,
  }),
  PAYMENT_UNSEEN_SECONDS: integer(
    'an order FAILS after this time if no node knows a transaction that can pay it',
    { default: DEFAULT_ORDER_SETTINGS.unseenSeconds, min: 1, max: 7 * DAY },
  ),
  PAYMENT_RESERVATION_SECONDS: integer(
    'maximum time that tokens stay reserved after the first report of a payment, longer only while a payment is mined and not final. A payment that is mined later reserves again',
    { default: DEFAULT_ORDER_SETTINGS.reservationSeconds, min: 1, max: 7 * DAY },
  ),
  LATE_PAYMENT_DAYS: integer('how long a transaction is watched that was reported for an ended order', {
    default: DEFAULT_ORDER_SETTINGS.lateDays,
    max: 365,
  }),
  INDEXED_CONTRACTS_PER_PROJECT: integer('contracts of a project that may be registered with `index: true`', {
    default: DEFAULT_INDEXED_CONTRACTS,
    max: 1_000_000,
  }),
}

const media = {
  MEDIA_DIRECTORY: text(
    `the folder of [uploaded pictures](${running}#uploaded-pictures), which all processes of the server share. It is created with the first one`,
    { default: DEFAULT_MEDIA_FOLDER },
  ),
  MEDIA_BYTES_PER_PROJECT: integer('the bytes of uploaded pictures that a project may have', {
    default: DEFAULT_MEDIA.bytesPerProject,
  }),
  MEDIA_S3_URL: url(
    'the address of a bucket of an S3-compatible service, and of a folder in it: uploaded pictures are stored there instead. Set the two keys with it',
  ),
  MEDIA_S3_REGION: text('the region of the bucket', { default: 'us-east-1' }),
  MEDIA_S3_ACCESS_KEY_ID: text('the key that may read, write and delete its objects'),
  MEDIA_S3_SECRET_ACCESS_KEY: text('the secret of that key'),
}

const events = {
  EVENT_RETENTION_DAYS: integer(
    'days after which events of the feed and their deliveries are deleted. With less than 2, an event can be deleted before the last attempt to deliver it',
    { default: 30, min: 1, max: 3650 },
  ),
  EVENT_STREAMS_PER_PROJECT: integer(
    'open streams of events per project, in each process; further ones get 429 with Retry-After',
    { default: DEFAULT_STREAM_SETTINGS.streamsPerProject, max: 100_000 },
  ),
  EVENT_STREAMS: integer(
    'open streams of events of the process; further ones get 429. Each is one of `MAX_CONNECTIONS`',
    { default: DEFAULT_STREAM_SETTINGS.streams, max: 100_000 },
  ),
}

/** Every setting of the gateway. */
export const gatewaySettings = {
  ...serving,
  ...selling,
  ...media,
  ...events,
  ...tracingSettings('mintmark-gateway'),
}
