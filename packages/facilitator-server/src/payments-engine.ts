import {
  type Chains,
  getTraceHeaders,
  type Logger,
  openChains,
  type Tracing,
  traceRequestTo,
} from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { createApprovalLimits } from './chains/evm/approvals/approval-limits.ts'
import { createChannelVerifier } from './chains/evm/channels/channel-verifier.ts'
import { type Channels, createChannels } from './chains/evm/channels/channels.ts'
import { createMaxFees } from './chains/evm/default-max-fees.ts'
import { DEFAULT_GAS_CAPS } from './chains/evm/gas-caps.ts'
import { createChainReader } from './chains/evm/reader.ts'
import { type BuiltInUpstream, createBuiltInUpstream } from './chains/evm/transactions/upstream.ts'
import { refused } from './chains/evm/transactions/upstream-responses.ts'
import { createSvmParts, joinReaders, joinVerifiers, type SvmParts } from './chains/svm/svm-parts.ts'
import { isSvmNetwork } from './chains/svm/svm-payment.ts'
import type { Configuration } from './configuration.ts'
import type { Supported } from './http/x402/x402-operations.ts'
import { findByPayment, paymentKey } from './ledger/settlements/settlement.ts'
import type { Served } from './payments/decode/decode.ts'
import { createEngine, type Engine, type EngineOptions } from './payments/engine.ts'
import type { ChainReader, Upstream, UpstreamResponse } from './payments/payment.ts'
import { reasons } from './payments/reasons.ts'
import { createRemoteUpstream } from './payments/remote/remote.ts'
import { createRecovery } from './payments/verify/recovery.ts'
import { createVerifier } from './payments/verify/verify.ts'
import { listSupported } from './supported.ts'
import type { Tables } from './tables.ts'

/** The engine with its upstream and the chains that it reads. */
export interface PaymentsEngine {
  engine: Engine
  chains: Chains
  chainReader: ChainReader
  served: Served
  /** Lists what is supported for the sellers of an account. Undefined: for a call without a key. */
  getSupported(accountId: number | undefined): Supported
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
}

/**
 * Creates the engine of a configuration: with the remote upstream if one is configured, otherwise with the
 * built-in one.
 */
export function createPaymentsEngine(
  config: Configuration,
  db: Kysely<Tables>,
  log: Logger,
  { enqueue, faultPoint, clock, tracing }: PaymentsEngineOptions = {},
): PaymentsEngine {
  const chains = openChains(config.chains, tracing)
  const gasCaps = (chainId: number) => ({
    key: config.gasCap(chainId) ?? DEFAULT_GAS_CAPS.key,
    contract: config.contractGasCap,
    deployment: config.deploymentGasCap,
    batch: config.batchGasCap(chainId) ?? DEFAULT_GAS_CAPS.batch,
  })
  const approvalLimits = (chainId: number) =>
    createApprovalLimits(config.approvalGrant(chainId), config.approvalGrantsPerDay(chainId))
  const report = (error: unknown) => log.warn({ err: error }, 'chain')
  const builtIn =
    config.upstreamUrl === undefined && config.signers.length > 0
      ? createBuiltInUpstream({
          db,
          chains,
          signers: config.signers,
          retired: config.retiredSigners,
          gasCaps,
          walletFactories: config.walletFactories,
          maxFeePerGas: createMaxFees(
            config.maxFeePerGas,
            chains.all.map(({ id }) => id),
            log,
          ),
          approvalLimits,
          ...(clock && { now: clock }),
          report,
        })
      : undefined
  const svm = createSvmParts({ db, ...config.svm, report })
  const evmUpstream = builtIn ?? createOtherUpstream(config, tracing)
  const upstream: Upstream =
    svm === undefined
      ? evmUpstream
      : { settle: (payment, call) => (payment.svm ? svm.upstream : evmUpstream).settle(payment, call) }
  const { unreadableNetworks } = config
  const evmReader = createChainReader({
    chains,
    report,
    ...(builtIn && {
      listSignedTransactions: (payment) => builtIn.listSignedTransactions(payment),
      isSuperseded: (payment) => builtIn.isSuperseded(payment),
    }),
  })
  const chainReader = joinReaders(evmReader, svm?.chainReader)
  const evmVerifier = createVerifier({
    chains,
    allowedAssets: config.allowedAssets,
    walletFactories: config.walletFactories,
    gasCaps,
    ...(builtIn && { findSender: builtIn.findSender, checkApproval: builtIn.checkApproval }),
    unreadableNetworks,
    maxValidity: config.maxValidity,
    ...(clock && { now: clock }),
    report,
  })
  const channelVerifier = createChannelVerifier({
    chains: chains.all,
    allowedAssets: config.allowedAssets,
    transfers: evmVerifier,
    recovery: createRecovery(),
    stateTtlMs: config.channelStateTtlMs,
    now: clock ?? Date.now,
    report,
  })
  const engine = createEngine({
    db,
    upstream,
    chainReader,
    verifier: joinVerifiers(
      {
        verify: (payment, options) =>
          (payment.channel ? channelVerifier : evmVerifier).verify(payment, options),
      },
      svm?.verifier,
    ),
    price: config.price,
    chargeOn: config.chargeOn,
    unreadableNetworks,
    revertLimits: config.revertLimits,
    upstreamTimeout: config.upstreamTimeout,
    log: {
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
    },
    ...(enqueue && { enqueue }),
    ...(faultPoint && { faultPoint }),
    ...((builtIn || svm) && {
      listSignedTransactions: async (payment) => {
        const own = isSvmNetwork(payment.network) ? svm?.upstream : builtIn
        return (await own?.listSignedTransactions(payment)) ?? []
      },
      async rebroadcast(settlementId) {
        await builtIn?.rebroadcast(settlementId)
        await svm?.upstream.rebroadcast(settlementId)
      },
    }),
  })
  const evmNetworks = [...chains.all.map(({ network }) => network), ...unreadableNetworks]
  const served = {
    networks: new Set([...evmNetworks, ...(svm?.networks ?? [])]),
    facilitators: new Set(builtIn?.signers),
    feePayers: new Set(svm?.feePayers),
    approvalChains: new Set(
      builtIn && chains.all.map(({ id }) => id).filter((id) => approvalLimits(id) !== undefined),
    ),
  }
  const readable = new Set(chains.all.map(({ network }) => network))
  return {
    engine,
    chains,
    chainReader,
    served,
    getSupported: (accountId) =>
      listSupported({ ...served, readable, retired: config.retiredSigners }, accountId),
    channels: createChannels({
      chains,
      findSettlement: (payment) => findByPayment(db, paymentKey(payment)),
      report,
    }),
    builtIn,
    svm,
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
