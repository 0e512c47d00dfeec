import { type ChainConfig, parseChains, readNodeTimeout, toNetwork } from '@mintmark/evm-reader'
import {
  ConfigurationError,
  type EnvironmentReader,
  readDatabaseTimeouts,
  readMaxConnections,
  readMetricsAccess,
  readMetricsOptions,
  readShutdownWaits,
  readTracingSettings,
} from '@mintmark/server-kit'
import { isAddress } from 'viem'
import { DEFAULT_RATE_LIMIT } from './authentication.ts'
import { allowAssets, allowFactories } from './chains/evm/allowed-assets.ts'
import { MAX_TRANSACTION_GAS } from './chains/evm/gas-caps.ts'
import { parseChainAmounts } from './chains/evm/transactions/chain-amounts.ts'
import { createRemoteSigners, type RemoteSignerOptions } from './chains/evm/transactions/remote-signer.ts'
import { parseSignerKeys, type SettlementSigner } from './chains/evm/transactions/signers.ts'
import { parseFeePayers } from './chains/svm/keys.ts'
import { allowMints, parseSvmChains, splitSvmEntries } from './chains/svm/svm-settings.ts'
import { readOperatorToken } from './operator/operator-access.ts'
import { DEFAULT_REVERT_LIMITS } from './payments/engine-options.ts'

/** Reads the chains that are read and settled on. */
export function readChains(env: EnvironmentReader): ChainConfig[] {
  const requestTimeoutMs = readNodeTimeout(env)
  const { rest } = splitSvmEntries(env.text('CHAINS') ?? '')
  const chains = readSetting(() => parseChains(rest, env.text('FINALITY')))
  return chains.map((chain) => ({ ...chain, requestTimeoutMs }))
}

/** Reads the treasury, which receives the deposits. 0 and undefined if it is not set. */
export function readTreasury(env: EnvironmentReader): { chain: number; address: string | undefined } {
  return { chain: env.integer('TREASURY_CHAIN', 0), address: readAddress(env, 'TREASURY_ADDRESS') }
}

/** Reads the wei in the treasury that, according to the operator, are not deposits. */
export function readSurplus(env: EnvironmentReader): bigint {
  return env.amount('TREASURY_SURPLUS_WEI', 0n)
}

/** Reads what settles on Solana. Only the built-in upstream does. */
function readSvm(env: EnvironmentReader, upstreamUrl: URL | undefined) {
  const chains = readSetting(() => parseSvmChains(env.text('CHAINS') ?? ''))
  const feePayers = readSetting(() => parseFeePayers(env.text('SOLANA_SIGNER_KEYS') ?? ''))
  if (chains.length > 0 && upstreamUrl !== undefined) {
    throw new ConfigurationError(
      'UPSTREAM_FACILITATOR_URL: Solana in CHAINS is settled here only. Remove one of them',
    )
  }
  if (chains.length > 0 && feePayers.length === 0) {
    throw new ConfigurationError('SOLANA_SIGNER_KEYS is required to settle on Solana. Its keys pay the fees')
  }
  const allowedMints = readSetting(() => allowMints(env.text('ALLOWED_ASSETS') ?? ''))
  return { chains, feePayers, allowedMints, requestTimeoutMs: readNodeTimeout(env) }
}

/** Reads the facilitator's settings, which the package's README lists. */
export function readConfiguration(env: EnvironmentReader) {
  return {
    ...readServer(env),
    ...readSettling(env),
    ...readLimits(env),
    ...readBilling(env),
    auditIntervalSeconds: env.integer('AUDIT_INTERVAL_SECONDS', 3600, 0, 604_800),
    webhookAllowPrivate: env.flag('WEBHOOK_ALLOW_PRIVATE', false),
    discoveryAllowPrivate: env.flag('DISCOVERY_ALLOW_PRIVATE', false),
    discoveryRetentionDays: env.integer('DISCOVERY_RETENTION_DAYS', 90, 1, 3650),
    deliveryRetentionDays: env.integer('DELIVERY_RETENTION_DAYS', 30, 7, 3650),
  }
}
export type Configuration = ReturnType<typeof readConfiguration>

/** Reads how the server listens and what it connects to. */
const readServer = (env: EnvironmentReader) => ({
  port: env.integer('FACILITATOR_PORT', 4001, 0, 65_535),
  host: env.text('HOST') ?? '127.0.0.1',
  shutdown: readShutdownWaits(env),
  publicUrl: env.url('PUBLIC_URL'),
  corsOrigins: env.list('CORS_ORIGINS'),
  connections: env.integer('DATABASE_CONNECTIONS', 20, 2, 1000),
  operatorToken: readOperatorToken(env),
  rateLimit: {
    perSecond: env.integer('RATE_LIMIT_PER_SECOND', DEFAULT_RATE_LIMIT.perSecond, 1),
    burst: env.integer('RATE_LIMIT_BURST', DEFAULT_RATE_LIMIT.burst, 1),
  },
  databaseTimeouts: readDatabaseTimeouts(env),
  metrics: { access: readMetricsAccess(env), options: readMetricsOptions(env) },
  tracing: readTracingSettings(env, 'mintmark-facilitator'),
  maxConnections: readMaxConnections(env),
  trustedProxyHops: env.integer('TRUSTED_PROXY_HOPS', 0, 0, 10),
})

/** Reads the chains, and who settles on them. */
function readSettling(env: EnvironmentReader) {
  const upstreamUrl = env.url('UPSTREAM_FACILITATOR_URL')
  const chains = readChains(env)
  const remoteSigner = readRemoteSigner(env)
  const signers = readSigners(env, remoteSigner)
  const svm = readSvm(env, upstreamUrl)
  const retiredSigners = readRetiredSigners(env, [signers, svm.feePayers])
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
    upstreamHeaders: readSetting(() => parseHeaders(env.text('UPSTREAM_FACILITATOR_HEADERS'))),
    upstreamTimeout: env.integer('UPSTREAM_TIMEOUT_MS', 30_000, 100, 600_000),
    repeatTimeout: env.integer('REPEAT_TIMEOUT_MS', 80_000, 0, 600_000),
    unreadableNetworks: new Set(env.list('UNREADABLE_NETWORKS')),
  }
}

/** Reads what a payment may be, and what its settlement may cost. */
function readLimits(env: EnvironmentReader) {
  const readAmounts = (name: string, maximum?: bigint) =>
    readSetting(() => parseChainAmounts(name, env.text(name), maximum))
  return {
    allowedAssets: readSetting(() => allowAssets(splitSvmEntries(env.text('ALLOWED_ASSETS') ?? '').rest)),
    maxValidity: env.integer('MAX_AUTHORIZATION_SECONDS', 86_400, 60),
    channelStateTtlMs: env.integer('CHANNEL_STATE_TTL_MS', 250, 0, 2_000),
    gasCap: readAmounts('GAS_CAP'),
    batchGasCap: readAmounts('BATCH_GAS_CAP', MAX_TRANSACTION_GAS),
    maxFeePerGas: readAmounts('MAX_FEE_PER_GAS'),
    approvalGrant: readAmounts('APPROVAL_GRANT_WEI'),
    approvalGrantsPerDay: readAmounts('APPROVAL_GRANTS_PER_DAY_WEI'),
    contractGasCap: BigInt(env.integer('CONTRACT_WALLET_GAS_CAP', 300_000, 50_000)),
    walletFactories: readSetting(() => allowFactories(env.text('WALLET_FACTORIES'))),
    deploymentGasCap: BigInt(env.integer('WALLET_DEPLOYMENT_GAS_CAP', 700_000, 100_000)),
    revertLimits: {
      perPayer: env.integer('REVERT_LIMIT_PER_PAYER', DEFAULT_REVERT_LIMITS.perPayer),
      perAccount: env.integer('REVERT_LIMIT_PER_ACCOUNT', DEFAULT_REVERT_LIMITS.perAccount),
      windowSeconds: env.integer('REVERT_WINDOW_SECONDS', DEFAULT_REVERT_LIMITS.windowSeconds, 1),
    },
    revertWaitSeconds: env.integer('REVERT_WAIT_SECONDS', 10, 0, 600),
  }
}

/** Reads what a settle costs, and where the deposits for it are. */
function readBilling(env: EnvironmentReader) {
  const { chain: treasuryChain, address: treasury } = readTreasury(env)
  if (treasuryChain === 0 || treasury === undefined) {
    throw new ConfigurationError(
      'TREASURY_CHAIN (a chain id) and TREASURY_ADDRESS are required. Quotas are signed for them, and they receive the deposits',
    )
  }
  return {
    price: env.amount('SETTLE_PRICE_WEI', 2_000_000_000_000_000n),
    chargeOn: env.choice('CHARGE_ON', ['upstream-2xx', 'settled'], 'upstream-2xx'),
    treasuryChain,
    treasuryNetwork: toNetwork(treasuryChain),
    treasury,
    treasuryFromBlock: env.amount('TREASURY_FROM_BLOCK', 0n),
    treasurySurplus: readSurplus(env),
    treasuryCheckSeconds: env.integer('TREASURY_CHECK_SECONDS', 60, 1, 86_400),
    facilitatorAddress: readAddress(env, 'FACILITATOR_ADDRESS') ?? treasury,
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

/** Reads the signers whose keys are settings, and those whose keys are in the key service. */
function readSigners(env: EnvironmentReader, remote: RemoteSignerOptions | undefined): SettlementSigner[] {
  const signers = [
    ...readSetting(() => parseSignerKeys(env.text('FACILITATOR_SIGNER_KEYS') ?? '')),
    ...(remote === undefined ? [] : createRemoteSigners(remote)),
  ]
  if (new Set(signers.map(({ address }) => address)).size < signers.length)
    throw new ConfigurationError('REMOTE_SIGNER_ADDRESSES contains the address of another signer')
  return signers
}

/**
 * Reads the addresses of the signers and fee payers that take no new payments.
 *
 * @param groups The signers of all kinds. Each kind that has any must keep one that is not retired.
 */
function readRetiredSigners(
  env: EnvironmentReader,
  groups: readonly (readonly { readonly address: string }[])[],
): ReadonlySet<string> {
  // Addresses of Solana depend on the case.
  const retired = new Set(
    env.list('RETIRED_SIGNERS').map((text) => (/^0x/i.test(text) ? text.toLowerCase() : text)),
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

function readRemoteSigner(env: EnvironmentReader): RemoteSignerOptions | undefined {
  const url = env.url('REMOTE_SIGNER_URL')
  const addresses = env.list('REMOTE_SIGNER_ADDRESSES')
  const certificate = env.text('REMOTE_SIGNER_CERTIFICATE')
  const key = env.text('REMOTE_SIGNER_KEY')
  const ca = env.text('REMOTE_SIGNER_CA')
  const timeoutMilliseconds = env.integer('REMOTE_SIGNER_TIMEOUT_MS', 2_000, 50, 60_000)
  if (url === undefined) {
    if (addresses.length > 0)
      throw new ConfigurationError('REMOTE_SIGNER_ADDRESSES requires REMOTE_SIGNER_URL')
    return undefined
  }
  if (url.protocol !== 'https:' && !LOOPBACK_HOSTS.has(url.hostname))
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

function readAddress(env: EnvironmentReader, name: string): string | undefined {
  const text = env.text(name)
  if (text !== undefined && !isAddress(text, { strict: false }))
    throw new ConfigurationError(`${name}: expected an address`)
  return text?.toLowerCase()
}

function parseHeaders(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const isHeaders =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((header) => typeof header === 'string')
  if (!isHeaders) throw new Error('UPSTREAM_FACILITATOR_HEADERS: expected a JSON object of strings')
  return value as Record<string, string>
}
