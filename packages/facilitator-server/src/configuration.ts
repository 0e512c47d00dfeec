import { type ChainConfig, parseChains, toNetwork } from '@mintmark/evm-reader'
import {
  ConfigurationError,
  type EnvironmentReader,
  readSettings,
  readTracingSettings,
  type SettingValues,
} from '@mintmark/server-kit'
import { isAddress } from 'viem'
import { allowAssets } from './chains/evm/settings/allowed-assets.ts'
import { DEFAULT_GAS_CAPS } from './chains/evm/settings/gas-caps.ts'
import { createRemoteSigners, type RemoteSignerOptions } from './chains/evm/transactions/remote-signer.ts'
import { parseSignerKeys, type SettlementSigner } from './chains/evm/transactions/signers.ts'
import { parseFeePayers } from './chains/solana/keys.ts'
import { allowMints, parseSvmChains, splitSvmEntries } from './chains/solana/svm-settings.ts'
import { DEFAULT_REVERT_LIMITS } from './engine/settings/engine-options.ts'
import type { TrialTerms } from './ledger/accounts/openings.ts'
import type { ScreeningSettings } from './screening/screening.ts'
import { facilitatorSettings } from './settings.ts'

type Values = SettingValues<typeof facilitatorSettings>

/** A connection that is idle within a transaction for longer holds locks that its process has forgotten. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000
/** Scrapes of several collectors share a reading of each gauge. */
const METRICS_CACHE_MS = 15_000
/** Vouchers arrive faster than blocks. */
const CHANNEL_STATE_TTL_MS = 250
/** Deposits are credited once final, which takes longer. */
const TREASURY_CHECK_SECONDS = 60

/** Reads the chains that are read and settled on. */
export function readChains(env: EnvironmentReader): ChainConfig[] {
  return toChains(readSettings(facilitatorSettings, env))
}

/** Reads the treasury, which receives the deposits, and the wei in it that are not deposits. */
export function readTreasury(env: EnvironmentReader) {
  const values = readSettings(facilitatorSettings, env)
  return {
    chain: values.TREASURY_CHAIN ?? 0,
    address: values.TREASURY_ADDRESS,
    surplus: values.TREASURY_SURPLUS_WEI,
  }
}

/** Reads the facilitator's settings, which `facilitatorSettings` declares. */
export function readConfiguration(env: EnvironmentReader) {
  const values = readSettings(facilitatorSettings, env)
  return {
    ...toServer(values),
    tracing: readTracingSettings(env, 'mintmark-facilitator'),
    ...toSettling(values),
    ...toLimits(values),
    screening: toScreening(values),
    ...toBilling(values),
    trial: toTrial(values),
    auditIntervalSeconds: values.AUDIT_INTERVAL_SECONDS,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    discoveryAllowPrivate: values.DISCOVERY_ALLOW_PRIVATE,
    discoveryRetentionDays: values.DISCOVERY_RETENTION_DAYS,
    deliveryRetentionDays: values.DELIVERY_RETENTION_DAYS,
  }
}
export type Configuration = ReturnType<typeof readConfiguration>

/** How the server listens and what it connects to. */
const toServer = (values: Values) => ({
  port: values.FACILITATOR_PORT,
  host: values.HOST,
  shutdown: { delayMs: values.SHUTDOWN_DELAY_MS, idleMs: values.SHUTDOWN_IDLE_MS },
  publicUrl: values.PUBLIC_URL,
  corsOrigins: values.CORS_ORIGINS,
  connections: values.DATABASE_CONNECTIONS,
  operatorToken: values.OPERATOR_TOKEN,
  rateLimit: { perSecond: values.RATE_LIMIT_PER_SECOND, burst: values.RATE_LIMIT_BURST },
  databaseTimeouts: {
    statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
    idleInTransactionTimeoutMs: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  },
  metrics: { port: values.METRICS_PORT, host: values.METRICS_HOST, token: values.METRICS_TOKEN },
  metricsCacheMs: METRICS_CACHE_MS,
  maxConnections: values.MAX_CONNECTIONS,
  trustedProxyHops: values.TRUSTED_PROXY_HOPS,
})

function toChains(values: Values): ChainConfig[] {
  const requestTimeoutMs = values.NODE_TIMEOUT_MS
  const { rest } = splitSvmEntries(values.CHAINS ?? '')
  const chains = readSetting(() => parseChains(rest, values.FINALITY))
  return chains.map((chain) => ({ ...chain, requestTimeoutMs }))
}

/** What settles on Solana. Only the built-in upstream does. */
function toSvm(values: Values) {
  const chains = readSetting(() => parseSvmChains(values.CHAINS ?? ''))
  const feePayers = readSetting(() => parseFeePayers(values.SOLANA_SIGNER_KEYS ?? ''))
  if (chains.length > 0 && values.UPSTREAM_FACILITATOR_URL !== undefined) {
    throw new ConfigurationError(
      'UPSTREAM_FACILITATOR_URL: Solana in CHAINS is settled here only. Remove one of them',
    )
  }
  if (chains.length > 0 && feePayers.length === 0) {
    throw new ConfigurationError('SOLANA_SIGNER_KEYS is required to settle on Solana. Its keys pay the fees')
  }
  const allowedMints = readSetting(() => allowMints(values.ALLOWED_ASSETS ?? ''))
  return { chains, feePayers, allowedMints, requestTimeoutMs: values.NODE_TIMEOUT_MS }
}

/** The chains, and who settles on them. */
function toSettling(values: Values) {
  const upstreamUrl = values.UPSTREAM_FACILITATOR_URL
  const chains = toChains(values)
  const remoteSigner = toRemoteSigner(values)
  const signers = toSigners(values, remoteSigner)
  const svm = toSvm(values)
  const retiredSigners = toRetiredSigners(values, [signers, svm.feePayers])
  const isSolanaOnly = svm.chains.length > 0 && chains.length === 0
  if (upstreamUrl === undefined && signers.length === 0 && !isSolanaOnly) {
    throw new ConfigurationError(
      'No upstream is configured. Set FACILITATOR_SIGNER_KEYS or REMOTE_SIGNER_URL (and CHAINS) to settle here, or UPSTREAM_FACILITATOR_URL to forward settles',
    )
  }
  if (upstreamUrl === undefined && chains.length === 0 && !isSolanaOnly) {
    throw new ConfigurationError(
      'CHAINS is required to settle here. Set a node of each chain, such as 84532=https://…',
    )
  }
  return {
    chains,
    signers,
    retiredSigners,
    remoteSigner,
    svm,
    upstreamUrl,
    upstreamHeaders: values.UPSTREAM_FACILITATOR_HEADERS,
    upstreamTimeout: values.UPSTREAM_TIMEOUT_MS,
    repeatTimeout: values.REPEAT_TIMEOUT_MS,
    unreadableNetworks: new Set(values.UNREADABLE_NETWORKS),
  }
}

/** What a payment may be, and what its settlement may cost. */
const toLimits = (values: Values) => ({
  allowedAssets: readSetting(() => allowAssets(splitSvmEntries(values.ALLOWED_ASSETS ?? '').rest)),
  maxValidity: values.MAX_AUTHORIZATION_SECONDS,
  channelStateTtlMs: CHANNEL_STATE_TTL_MS,
  gasCaps: DEFAULT_GAS_CAPS,
  maxFeePerGas: values.MAX_FEE_PER_GAS,
  approvalGrant: values.APPROVAL_GRANT_WEI,
  approvalGrantsPerDay: values.APPROVAL_GRANTS_PER_DAY_WEI,
  walletFactories: values.WALLET_FACTORIES,
  revertLimits: {
    perPayer: values.REVERT_LIMIT_PER_PAYER,
    perAccount: values.REVERT_LIMIT_PER_ACCOUNT,
    windowSeconds: DEFAULT_REVERT_LIMITS.windowSeconds,
  },
})

/** What a settle costs, and where the deposits for it are. */
function toBilling(values: Values) {
  const { TREASURY_CHAIN: treasuryChain, TREASURY_ADDRESS: treasury } = values
  if (treasuryChain === undefined || treasury === undefined) {
    throw new ConfigurationError(
      'TREASURY_CHAIN (a chain id) and TREASURY_ADDRESS are required. Quotas are signed for them, and they receive the deposits',
    )
  }
  return {
    price: values.SETTLE_PRICE_WEI,
    chargeOn: values.CHARGE_ON,
    treasuryChain,
    treasuryNetwork: toNetwork(treasuryChain),
    treasury,
    treasuryFromBlock: values.TREASURY_FROM_BLOCK,
    treasurySurplus: values.TREASURY_SURPLUS_WEI,
    treasuryCheckSeconds: TREASURY_CHECK_SECONDS,
    facilitatorAddress: values.FACILITATOR_ADDRESS ?? treasury,
  }
}

/** What wallets may open without the operator. Undefined: nothing. */
function toTrial(values: Values): TrialTerms | undefined {
  if (values.TRIAL_SETTLES === 0) return undefined
  if (values.PUBLIC_URL === undefined)
    throw new ConfigurationError(
      'TRIAL_SETTLES requires PUBLIC_URL: the wallets that open accounts sign this address',
    )
  return {
    credit: values.SETTLE_PRICE_WEI * BigInt(values.TRIAL_SETTLES),
    accountsPerDay: values.TRIAL_ACCOUNTS_PER_DAY,
    accountsPerAddress: values.TRIAL_ACCOUNTS_PER_ADDRESS,
  }
}

// The parsers' messages name the setting and contain no secret.
function readSetting<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof Error ? new ConfigurationError(error.message) : error
  }
}

/** The signers whose keys are settings, and those whose keys are in the key service. */
function toSigners(values: Values, remote: RemoteSignerOptions | undefined): SettlementSigner[] {
  const signers = [
    ...readSetting(() => parseSignerKeys(values.FACILITATOR_SIGNER_KEYS ?? '')),
    ...(remote === undefined ? [] : createRemoteSigners(remote)),
  ]
  if (new Set(signers.map(({ address }) => address)).size < signers.length)
    throw new ConfigurationError('REMOTE_SIGNER_ADDRESSES contains the address of another signer')
  return signers
}

/**
 * The addresses of the signers and fee payers that take no new payments.
 *
 * @param groups The signers of all kinds. Each kind that has any must keep one that is not retired.
 */
function toRetiredSigners(
  values: Values,
  groups: readonly (readonly { readonly address: string }[])[],
): ReadonlySet<string> {
  // Addresses of Solana depend on the case.
  const retired = new Set(
    values.RETIRED_SIGNERS.map((text) => (/^0x/i.test(text) ? text.toLowerCase() : text)),
  )
  const addresses = new Set(groups.flat().map(({ address }) => address))
  for (const address of retired) {
    if (!addresses.has(address))
      throw new ConfigurationError(
        `RETIRED_SIGNERS: there is no key of ${address}. Add the key until signers list shows that nothing of it is outstanding, then remove both`,
      )
  }
  for (const group of groups) {
    if (group.length > 0 && group.every(({ address }) => retired.has(address)))
      throw new ConfigurationError(
        'RETIRED_SIGNERS contains every signer, so nothing can be settled. Add the key of a new one',
      )
  }
  return retired
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK_HOSTS.has(hostname)

/** Which payments the operator refuses. */
function toScreening(values: Values): ScreeningSettings {
  const url = values.SCREENING_URL
  if (url !== undefined && !isSecure(url))
    throw new ConfigurationError(
      'SCREENING_URL: expected https://, because who changes the responses would decide about payments',
    )
  if (url !== undefined && url.username + url.password !== '')
    throw new ConfigurationError(
      'SCREENING_URL: a user and a password are not sent. Put a token into the path or the query',
    )
  return { file: values.SCREENING_FILE, url, fails: values.SCREENING_FAILS }
}

function toRemoteSigner(values: Values): RemoteSignerOptions | undefined {
  const url = values.REMOTE_SIGNER_URL
  const addresses = values.REMOTE_SIGNER_ADDRESSES
  const certificate = values.REMOTE_SIGNER_CERTIFICATE
  const key = values.REMOTE_SIGNER_KEY
  const ca = values.REMOTE_SIGNER_CA
  const timeoutMilliseconds = values.REMOTE_SIGNER_TIMEOUT_MS
  if (url === undefined) {
    if (addresses.length > 0)
      throw new ConfigurationError('REMOTE_SIGNER_ADDRESSES requires REMOTE_SIGNER_URL')
    return undefined
  }
  if (!isSecure(url))
    throw new ConfigurationError(
      'REMOTE_SIGNER_URL: expected https://, because who reads or changes the requests could spend the gas',
    )
  if (addresses.length === 0)
    throw new ConfigurationError(
      'REMOTE_SIGNER_ADDRESSES is required with REMOTE_SIGNER_URL. Set the addresses of the keys to sign with',
    )
  const invalid = addresses.find((address) => !isAddress(address, { strict: false }))
  if (invalid !== undefined)
    throw new ConfigurationError(`REMOTE_SIGNER_ADDRESSES: ${invalid} is not an address`)
  if ((certificate === undefined) !== (key === undefined))
    throw new ConfigurationError(
      'REMOTE_SIGNER_CERTIFICATE and REMOTE_SIGNER_KEY belong together. Set both or none',
    )
  return {
    url,
    addresses,
    timeoutMilliseconds,
    tls: {
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
      ...(ca !== undefined && { ca }),
    },
  }
}
