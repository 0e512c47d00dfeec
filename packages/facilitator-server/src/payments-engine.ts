import {
  type ChainStatus,
  type Chains,
  createChainStatusReader,
  listUnresponsive,
  openChains,
  removeAddress,
} from '@mintmark/evm-reader'
import { getTraceHeaders, type Logger, type Tracing, traceRequestTo } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { createAvailabilityReader, withdrawUnavailable } from './available-networks.ts'
import { createApprovalLimits } from './chains/evm/settings/approval-limits.ts'
import { createMaxFees } from './chains/evm/settings/default-max-fees.ts'
import { createRecovery } from './chains/evm/signatures/recovery.ts'
import { refused } from './chains/evm/transactions/upstream-responses.ts'
import { isSvmNetwork } from './chains/solana/svm-network.ts'
import type { SvmStatus } from './chains/solana/svm-status.ts'
import type { Configuration } from './configuration.ts'
import type { Tables } from './database/tables.ts'
import { createEngine, type Engine, type EngineOptions } from './engine/engine.ts'
import { createRemoteUpstream } from './engine/remote/remote.ts'
import type { EngineLog } from './engine/settings/engine-options.ts'
import { listFinality } from './http/payments/finality.ts'
import type { Supported } from './http/payments/x402-operations.ts'
import { findByPayment, paymentKey } from './ledger/settlements/settlement.ts'
import type { ChainReader, Payment, PaymentVerifier, Upstream, UpstreamResponse } from './payment/payment.ts'
import { reasons } from './payment/reasons.ts'
import type { Served } from './schemes/decode.ts'
import { createChannelVerifier } from './schemes/evm/batch-settlement/channel-verifier.ts'
import { type Channels, createChannels } from './schemes/evm/batch-settlement/channels.ts'
import { type BuiltInUpstream, createBuiltInUpstream, createChainReader } from './schemes/evm/chain-parts.ts'
import { createVerifier } from './schemes/evm/verify/verify.ts'
import {
  createSvmParts,
  joinReaders,
  joinVerifiers,
  type SvmParts,
} from './schemes/solana/exact/svm-parts.ts'
import type { Screening } from './screening/screening.ts'
import { listSupported } from './supported.ts'

/** The engine with its upstream and the chains that it reads. */
export interface PaymentsEngine {
  engine: Engine
  chains: Chains
  chainReader: ChainReader
  served: Served
  /** Reads which networks respond. */
  readChainStatus: () => Promise<readonly ChainStatus[]>
  /** Lists what is supported now for the sellers of an account. Undefined: for a call without a key. */
  getSupported(accountId: number | undefined): Promise<Supported>
  channels: Channels
  /** The built-in upstream, if it is configured. */
  builtIn: BuiltInUpstream | undefined
  /** The parts that settle on Solana, if it is configured. */
  svm: SvmParts | undefined
}

interface PaymentsEngineOptions extends Pick<EngineOptions, 'enqueue' | 'faultPoint'> {
  /** The clock of payments' times, in milliseconds since the epoch. Default: `Date.now`. */
  readonly clock?: () => number
  readonly tracing?: Tracing | undefined
  /** Which payments the operator refuses. Default: none. */
  readonly screening?: Screening | undefined
}

/** What the parts of an engine are created from. */
interface EngineParts {
  readonly config: Configuration
  readonly db: Kysely<Tables>
  readonly log: Logger
  readonly clock: (() => number) | undefined
  readonly chains: Chains
  readonly report: (error: unknown) => void
}

/** The parts with those that settle. */
interface SettlingParts extends EngineParts {
  readonly builtIn: BuiltInUpstream | undefined
  readonly svm: SvmParts | undefined
}

/** The part of the connections on which repeated settles may wait. The others are for new calls. */
const WAITING_CONNECTIONS = 0.25

/**
 * Creates the engine of a configuration: with the remote upstream if one is configured, otherwise with the
 * built-in one.
 */
export function createPaymentsEngine(
  config: Configuration,
  db: Kysely<Tables>,
  log: Logger,
  { enqueue, faultPoint, clock, tracing, screening }: PaymentsEngineOptions = {},
): PaymentsEngine {
  const report = (error: unknown) => log.warn({ err: error }, 'chain')
  const chains = openChains(config.chains, tracing)
  const parts: EngineParts = { config, db, log, clock, chains, report }
  const builtIn = openBuiltIn(parts)
  const svm = createSvmParts({ db, ...config.svm, report })
  const settling: SettlingParts = { ...parts, builtIn, svm }
  const evmUpstream = builtIn ?? createOtherUpstream(config, tracing)
  const chainReader = joinReaders(createEvmReader(settling), svm?.chainReader)
  const verifier = joinVerifiers(createEvmVerifier(settling), svm?.verifier)
  const engine = createEngine({
    db,
    upstream: svm === undefined ? evmUpstream : joinUpstreams(evmUpstream, svm.upstream),
    chainReader,
    verifier: screening?.guard(verifier) ?? verifier,
    price: config.price,
    chargeOn: config.chargeOn,
    unreadableNetworks: config.unreadableNetworks,
    revertLimits: config.revertLimits,
    upstreamTimeout: config.upstreamTimeout,
    repeatTimeout: config.repeatTimeout,
    maxWaits: Math.ceil(config.maxConnections * WAITING_CONNECTIONS),
    log: toEngineLog(log),
    ...(enqueue && { enqueue }),
    ...(faultPoint && { faultPoint }),
    ...((builtIn || svm) && createSignedTransactions(settling)),
  })
  const served = listServed(settling)
  const readable = new Set(chains.all.map(({ network }) => network))
  const readEvmStatus = createChainStatusReader(chains.all)
  const readAvailable = createAvailabilityReader({
    readChainStatus: readEvmStatus,
    builtIn,
    readSvmStatus: svm?.readStatus,
    unreadableNetworks: config.unreadableNetworks,
  })
  return {
    engine,
    chains,
    chainReader,
    served,
    readChainStatus: async () => {
      const [evm, solana] = await Promise.all([readEvmStatus(), svm?.readStatus() ?? []])
      return [...evm, ...solana.map(toChainStatus)]
    },
    async getSupported(accountId) {
      const supported = listSupported({ ...served, readable, retired: config.retiredSigners }, accountId)
      const available = withdrawUnavailable(supported, await readAvailable())
      return { ...available, finality: listFinality(available, chains) }
    },
    channels: createChannels({
      chains,
      findSettlement: (payment) => findByPayment(db, paymentKey(payment)),
      report,
    }),
    builtIn,
    svm,
  }
}

const toChainStatus = ({ network, problem, nodes }: SvmStatus): ChainStatus => ({
  network,
  isReadable: problem === '',
  headAgeSeconds: undefined,
  unresponsiveNodes: listUnresponsive(nodes),
})

/** Creates the log of an engine or of one of its jobs. */
export const toEngineLog = (log: Logger): EngineLog => ({
  warn: (fields, message) => log.warn(fields, message),
  error: (fields, message) => log.error(fields, message),
})

/** Returns what the payers of a chain are given for approvals. Undefined: nothing. */
const approvalLimitsOf = (config: Configuration) => (chainId: number) =>
  createApprovalLimits(config.approvalGrant(chainId), config.approvalGrantsPerDay(chainId))

/** Opens the built-in upstream if the configuration has signers and names no other facilitator. */
function openBuiltIn({ config, db, log, clock, chains, report }: EngineParts): BuiltInUpstream | undefined {
  if (config.upstreamUrl !== undefined || config.signers.length === 0) return undefined
  const chainIds = chains.all.map(({ id }) => id)
  return createBuiltInUpstream({
    db,
    chains,
    signers: config.signers,
    retired: config.retiredSigners,
    gasCaps: config.gasCaps,
    walletFactories: config.walletFactories,
    maxFeePerGas: createMaxFees(config.maxFeePerGas, chainIds, log),
    approvalLimits: approvalLimitsOf(config),
    ...(clock && { now: clock }),
    report,
  })
}

const joinUpstreams = (evm: Upstream, svm: Upstream): Upstream => ({
  settle: (payment, call) => (payment.svm ? svm : evm).settle(payment, call),
})

function createEvmReader({ chains, builtIn, report }: SettlingParts): ChainReader {
  return createChainReader({
    chains,
    report,
    ...(builtIn && {
      listSignedTransactions: (payment) => builtIn.listSignedTransactions(payment),
      isSuperseded: (payment) => builtIn.isSuperseded(payment),
    }),
  })
}

/** Creates the verification of transfers, and of requests of channels. */
function createEvmVerifier({ config, clock, chains, builtIn, report }: SettlingParts): PaymentVerifier {
  const { allowedAssets, walletFactories, unreadableNetworks, maxValidity, channelStateTtlMs } = config
  const transfers = createVerifier({
    chains,
    allowedAssets,
    walletFactories,
    gasCaps: config.gasCaps,
    ...(builtIn && { findSender: builtIn.findSender, checkApproval: builtIn.checkApproval }),
    unreadableNetworks,
    maxValidity,
    ...(clock && { now: clock }),
    report,
  })
  const channels = createChannelVerifier({
    chains: chains.all,
    allowedAssets,
    transfers,
    recovery: createRecovery(),
    stateTtlMs: channelStateTtlMs,
    now: clock ?? Date.now,
    report,
  })
  const reportUnread = (error: unknown) => {
    report(removeAddress(error))
    return 'unread' as const
  }
  return {
    async verify(payment, options) {
      const outcome = await (payment.channel ? channels : transfers).verify(payment, options)
      if (!outcome.isValid || builtIn === undefined || !needsGas(payment)) return outcome
      const address = payment.permit2?.facilitator
      // Without an answer the upstream decides, which reads the fees again.
      const sender = await builtIn.findSender(payment.network, { address }).catch(reportUnread)
      if (sender !== undefined) return outcome
      const invalidMessage = 'The facilitator cannot pay for gas now. Retry later'
      return { isValid: false, invalidReason: reasons.verifyError, invalidMessage, payer: payment.payer }
    },
  }
}

/** Whether a payment is sent. A voucher is not, and neither is an amount of 0 in the scheme upto. */
const needsGas = ({ channel, scheme, amount }: Payment): boolean =>
  channel?.kind !== 'voucher' && !(scheme === 'upto' && amount === 0n)

/** Reads and repeats the transactions that this facilitator signed. */
function createSignedTransactions({
  builtIn,
  svm,
}: SettlingParts): Pick<EngineOptions, 'listSignedTransactions' | 'rebroadcast'> {
  return {
    async listSignedTransactions(payment) {
      const own = isSvmNetwork(payment.network) ? svm?.upstream : builtIn
      return (await own?.listSignedTransactions(payment)) ?? []
    },
    async rebroadcast(settlementId) {
      await builtIn?.rebroadcast(settlementId)
      await svm?.upstream.rebroadcast(settlementId)
    },
  }
}

function listServed({ config, chains, builtIn, svm }: SettlingParts): Required<Served> {
  const evmNetworks = [...chains.all.map(({ network }) => network), ...config.unreadableNetworks]
  const getLimits = approvalLimitsOf(config)
  const chainIds = builtIn === undefined ? [] : chains.all.map(({ id }) => id)
  return {
    networks: new Set([...evmNetworks, ...(svm?.networks ?? [])]),
    facilitators: new Set(builtIn?.signers),
    feePayers: new Set(svm?.feePayers),
    approvalChains: new Set(chainIds.filter((id) => getLimits(id) !== undefined)),
  }
}

const getStatus = (response: UpstreamResponse): number | undefined =>
  'httpStatus' in response ? response.httpStatus : undefined

/**
 * Creates the upstream without own signers: it forwards settles, or refuses them where only Solana is
 * configured.
 */
function createOtherUpstream(
  { upstreamUrl, upstreamHeaders }: Configuration,
  tracing: Tracing | undefined,
): Upstream {
  if (upstreamUrl === undefined) {
    return {
      settle: async ({ network }) => refused(reasons.invalidNetwork, `${network} is not settled here`),
    }
  }
  // The trace of a settle continues there.
  const upstream = createRemoteUpstream({
    url: upstreamUrl.href,
    headers: () => ({ ...getTraceHeaders(tracing), ...upstreamHeaders }),
  })
  return {
    ...upstream,
    settle: (payment, options) =>
      traceRequestTo(tracing, { name: 'upstream settle', url: upstreamUrl, getStatus }, () =>
        upstream.settle(payment, options),
      ),
  }
}
