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
import { createChainReader } from './chains/evm/reads/reader.ts'
import { createApprovalLimits } from './chains/evm/settings/approval-limits.ts'
import { createMaxFees } from './chains/evm/settings/default-max-fees.ts'
import { refused } from './chains/evm/transactions/upstream-responses.ts'
import type { SvmStatus } from './chains/solana/svm-status.ts'
import type { Configuration } from './configuration.ts'
import type { Tables } from './database/tables.ts'
import { createEngine, type Engine, type EngineOptions } from './engine/engine.ts'
import { createRemoteUpstream } from './engine/remote/remote.ts'
import type { EngineLog } from './engine/settings/engine-options.ts'
import { listFinality } from './http/payments/finality.ts'
import type { Supported } from './http/payments/x402-operations.ts'
import { findByPayment, paymentKey } from './ledger/settlements/settlement.ts'
import type { ChainReader, PaymentVerifier, Upstream, UpstreamResponse } from './payment/payment.ts'
import { reasons } from './payment/reasons.ts'
import { namespaceOf } from './payment/scheme.ts'
import { createStoreClaim } from './schemes/evm/batch-settlement/voucher-store.ts'
import { type BuiltInUpstream, createBuiltInUpstream } from './schemes/evm/built-in-upstream.ts'
import type { EvmSchemePayment, VerifierParts } from './schemes/evm/evm-scheme.ts'
import { createVerifier } from './schemes/evm/verify/verify.ts'
import { findScheme } from './schemes/registry.ts'
import { createSettleContext, openOnce, type Served, type SettleContext } from './schemes/scheme.ts'
import { createSvmParts, type SvmParts } from './schemes/solana/exact/svm-parts.ts'
import { exactSvm } from './schemes/solana/exact/svm-scheme.ts'
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
  /** What the preparation of payments uses. */
  settleContext: SettleContext
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
  const family = joinFamilies(
    {
      upstream: builtIn ?? createOtherUpstream(config, tracing),
      verifier: createEvmVerifier(settling),
      chainReader: createEvmReader(settling),
      signed: builtIn,
    },
    svm && { ...svm, signed: svm.upstream },
  )
  const { chainReader, verifier } = family
  const engine = createEngine({
    db,
    ...family,
    verifier: screening?.guard(verifier) ?? verifier,
    findScheme,
    storeClaim: createStoreClaim(db, log),
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
    settleContext: createSettleContext({
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

/** Creates the verification of payments on EVM chains. */
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
  const open = openOnce<VerifierParts, PaymentVerifier>({
    chains: chains.all,
    allowedAssets,
    transfers,
    stateTtlMs: channelStateTtlMs,
    now: clock ?? Date.now,
    report,
  })
  const reportUnread = (error: unknown) => {
    report(removeAddress(error))
    return 'unread' as const
  }
  return {
    async verify(payment: EvmSchemePayment, options) {
      const { openVerifier } = payment.scheme
      const outcome = await (openVerifier ? open(openVerifier) : transfers).verify(payment, options)
      if (!outcome.isValid || builtIn === undefined || !needsGas(payment)) return outcome
      const address = payment.scheme.getOnlySender?.(payment)
      // Without an answer the upstream decides, which reads the fees again.
      const sender = await builtIn.findSender(payment.network, { address }).catch(reportUnread)
      if (sender !== undefined) return outcome
      const invalidMessage = 'The facilitator cannot pay for gas now. Retry later'
      return { isValid: false, invalidReason: reasons.verifyError, invalidMessage, payer: payment.payer }
    },
  }
}

/** Whether a payment is sent. An amount of 0 of a metered payment is not. */
const needsGas = ({ scheme, amount }: EvmSchemePayment): boolean =>
  !scheme.isVerifiedOnly && !(scheme.isMetered && amount === 0n)

/** What settles, verifies and reads the payments of a family of chains. */
interface Family extends Pick<Required<EngineOptions>, 'upstream' | 'verifier' | 'chainReader'> {
  /** The transactions that this facilitator signed. Undefined if another one settles. */
  readonly signed: Pick<Required<EngineOptions>, 'listSignedTransactions' | 'rebroadcast'> | undefined
}

type JoinedFamilies = Omit<Family, 'signed'> & Pick<EngineOptions, 'listSignedTransactions' | 'rebroadcast'>

/** Joins the families by the namespace of a network. */
function joinFamilies(evm: Family, solana: Family | undefined): JoinedFamilies {
  const byNamespace = new Map(solana && [[exactSvm.namespace, solana]])
  const find = (network: string) => byNamespace.get(namespaceOf(network)) ?? evm
  const families = [evm, ...byNamespace.values()]
  return {
    upstream: { settle: (payment, call) => find(payment.network).upstream.settle(payment, call) },
    verifier: { verify: (payment, options) => find(payment.network).verifier.verify(payment, options) },
    chainReader: {
      networks: new Set(families.flatMap(({ chainReader }) => [...chainReader.networks])),
      readable: (network) => find(network).chainReader.readable(network),
      inspect: (payment, hint) => find(payment.network).chainReader.inspect(payment, hint),
      compareWithFinal: (network, blocks) => find(network).chainReader.compareWithFinal(network, blocks),
    },
    ...(families.some(({ signed }) => signed !== undefined) && {
      listSignedTransactions: async (payment) =>
        (await find(payment.network).signed?.listSignedTransactions(payment)) ?? [],
      async rebroadcast(settlementId) {
        for (const { signed } of families) await signed?.rebroadcast(settlementId)
      },
    }),
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
