import type { OperatorHealth } from '@mintmark/facilitator/operator'
import { type Chain, cacheLookup, describeChainError, type JobState } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { AUDIT_KINDS, readLastAudit } from '../audit/audit.ts'
import { LOW_BALANCE_PRICES } from '../audit/low-balance.ts'
import { getNextNonce } from '../chains/evm/transactions/nonce-store.ts'
import { asHex } from '../chains/evm/transfer.ts'
import { LOW_FEE_PAYER_LAMPORTS } from '../chains/svm/svm-status.ts'
import { type GaugeParts, readDepositLag } from '../gauges.ts'
import { listSuspendedDeposits } from '../ledger/deposits/suspended-deposits.ts'
import { listUnknown } from '../ledger/settlements/oldest-unfinished.ts'
import { version } from '../version.ts'
import { readDueDeliveries } from '../webhooks/due-deliveries.ts'

/** Reads how the facilitator and what it depends on are. */
export type HealthReader = () => Promise<OperatorHealth>

type HealthParts = Pick<GaugeParts, 'database' | 'payments' | 'config'>
type ChainHealth = OperatorHealth['chains'][number]
type SignerHealth = OperatorHealth['signers'][number]
type SolanaHealth = NonNullable<OperatorHealth['solana']>[number]

const LISTED_SETTLEMENTS = 100
const LISTED_WALLETS = 100
/** A call of an operator must not multiply to many requests to a node. */
const CHAINS_TTL_MS = 5_000
const CHAIN_TIMEOUT_MS = 5_000

/**
 * Creates the reader. What it reads of the chains is shared for five seconds.
 *
 * @param listJobs Returns the states of the jobs of this process.
 */
export function createHealthReader(parts: HealthParts, listJobs: () => readonly JobState[]): HealthReader {
  const readChainsOnce = cacheLookup(() => readChains(parts), { ttlMs: CHAINS_TTL_MS })
  const db = parts.database.system
  return async () => {
    const started = performance.now()
    await sql`select 1`.execute(db)
    const databaseMs = Math.round(performance.now() - started)
    const [ofChains, solana, unknownSettlements, due, audit, suspended] = await Promise.all([
      readChainsOnce('all'),
      readSolana(parts),
      listUnknown(db, LISTED_SETTLEMENTS),
      readDueDeliveries(db),
      readLastAudit(db),
      listSuspendedDeposits(db, LISTED_WALLETS),
    ])
    const kinds = AUDIT_KINDS.map((kind) => ({ kind, count: audit?.problems[kind] ?? 0 })).filter(
      ({ count }) => count > 0,
    )
    return {
      version,
      time: new Date().toISOString(),
      databaseMs,
      chains: ofChains?.chains ?? [],
      signers: ofChains?.signers ?? [],
      ...(solana && { solana }),
      jobs: listJobs().map(({ name, everyMs, succeededAt, problem }) => ({
        ...{ name, everyMs, problem },
        ...(succeededAt !== undefined && { succeedTime: new Date(succeededAt).toISOString() }),
      })),
      unknownSettlements,
      dueDeliveries: due.count,
      oldestDueDeliverySeconds: Math.round(due.oldestSeconds),
      ...(audit && { auditTime: new Date(Date.now() - audit.ageSeconds * 1000).toISOString() }),
      auditProblems: kinds.reduce((sum, { count }) => sum + count, 0),
      ...(kinds.length > 0 && { auditProblemKinds: kinds }),
      ...(suspended.length > 0 && { suspendedDeposits: suspended }),
    }
  }
}

async function readChains(parts: HealthParts): Promise<{ chains: ChainHealth[]; signers: SignerHealth[] }> {
  const { chains, builtIn } = parts.payments
  const [chainHealth, signerHealth] = await Promise.all([
    Promise.all(chains.all.map((chain) => readChain(parts, chain))),
    Promise.all(
      chains.all.flatMap((chain) =>
        (builtIn?.signers ?? []).map((address) => readSigner(parts, chain, address)),
      ),
    ),
  ])
  return { chains: chainHealth, signers: signerHealth }
}

/** Reads the networks of Solana. Undefined if none is configured. */
async function readSolana({ payments }: HealthParts): Promise<SolanaHealth[] | undefined> {
  const statuses = await payments.svm?.readStatus()
  return statuses?.map(({ network, newestSlot, headAgeSeconds, nodes, feePayers, problem }) => ({
    network,
    ...(newestSlot !== undefined && { newestSlot }),
    ...(headAgeSeconds !== undefined && { headAgeSeconds }),
    nodes: nodes.map(({ newestSlot: slot, ...node }) => ({
      ...node,
      ...(slot !== undefined && { newestSlot: slot, lagSlots: (newestSlot ?? slot) - slot }),
    })),
    feePayers: feePayers.map(({ address, lamports }) => ({
      address,
      ...(lamports !== undefined && { balance: String(lamports) }),
      isLow: lamports !== undefined && lamports < LOW_FEE_PAYER_LAMPORTS,
    })),
    problem,
  }))
}

async function readChain(parts: HealthParts, chain: Chain): Promise<ChainHealth> {
  const started = performance.now()
  const state = await orProblem(async () => {
    const { number, timestamp } = await chain.client.getBlock({ blockTag: 'latest' })
    const headAgeSeconds = Math.max(0, Math.round(Date.now() / 1000) - Number(timestamp))
    return { newestBlock: Number(number), headAgeSeconds }
  })
  const responseMs = Math.round(performance.now() - started)
  const isTreasury = chain.id === parts.config.treasuryChain
  const lag = isTreasury && state.problem === '' ? await orProblem(() => readLag(parts, chain)) : undefined
  return { chainId: chain.id, network: chain.network, responseMs, ...lag, ...state }
}

async function readLag(parts: HealthParts, chain: Chain): Promise<{ depositLagBlocks?: number }> {
  const lag = (await readDepositLag(parts)).get(String(chain.id))
  return lag === undefined ? {} : { depositLagBlocks: lag }
}

async function readSigner(
  { database, config }: HealthParts,
  chain: Chain,
  address: string,
): Promise<SignerHealth> {
  const { id: chainId, client } = chain
  const nextNonce = await getNextNonce(database.system, chainId, address)
  const { problem, ...state } = await orProblem(async () => {
    const signer = asHex(address)
    const [balance, minedNonce, pendingNonce] = await Promise.all([
      client.getBalance({ address: signer }),
      client.getTransactionCount({ address: signer, blockTag: 'latest' }),
      client.getTransactionCount({ address: signer, blockTag: 'pending' }),
    ])
    const isLow = balance < config.price * LOW_BALANCE_PRICES
    return { balance: String(balance), isLow, minedNonce, pendingNonce }
  })
  const isForeign = nextNonce !== undefined && (state.minedNonce ?? 0) > nextNonce
  return {
    ...{ chainId, address, isLow: false },
    ...state,
    ...(nextNonce !== undefined && { nextNonce }),
    problem: isForeign
      ? 'The signer has used nonces that this database does not know: another program has the key, or the database was restored'
      : problem,
  }
}

/** Reads a part of the state within `CHAIN_TIMEOUT_MS`. A failure becomes its `problem`, without the address of a node. */
async function orProblem<State extends object>(
  read: () => Promise<State>,
): Promise<Partial<State> & { problem: string }> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = `No response within ${CHAIN_TIMEOUT_MS / 1000} seconds`
    timer = setTimeout(() => reject(new Error(message)), CHAIN_TIMEOUT_MS)
  })
  try {
    return { ...(await Promise.race([read(), timeout])), problem: '' }
  } catch (error) {
    return { problem: describeChainError(error) } as Partial<State> & { problem: string }
  } finally {
    clearTimeout(timer)
  }
}
