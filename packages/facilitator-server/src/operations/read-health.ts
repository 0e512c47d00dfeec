import {
  type Chain,
  findNewestState,
  getAgeSeconds,
  orProblem,
  readNodeStates,
  toNodesHealth,
} from '@mintmark/evm-reader'
import type { OperatorHealth } from '@mintmark/facilitator/operator'
import {
  cacheLookup,
  type Database,
  type JobState,
  LISTED_SESSIONS,
  listBlockedSessions,
} from '@mintmark/server-kit'
import { sql } from 'kysely'
import { asHex } from '../chains/evm/reads/transfer.ts'
import { getNextNonce } from '../chains/evm/transactions/nonce-store.ts'
import { LOW_FEE_PAYER_LAMPORTS } from '../chains/solana/svm-status.ts'
import type { Tables } from '../database/tables.ts'
import { readDueDeliveries } from '../events/due-deliveries.ts'
import { listSuspendedDeposits } from '../ledger/deposits/suspended-deposits.ts'
import { listUnknown } from '../ledger/settlements/oldest-unfinished.ts'
import { AUDIT_KINDS, readLastAudit } from './audit/audit.ts'
import { LOW_BALANCE_PRICES } from './audit/low-balance.ts'
import { type GaugeParts, readDepositLag } from './gauges.ts'
import { listFeePayerStates, listSignerStates, type SignerParts, type SignerState } from './signer-states.ts'
import { version } from './version.ts'

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
const FOREIGN_NONCES =
  'The signer has used nonces that this database does not know: another program has the key, or the database was restored'

/**
 * Creates the reader. What it reads of the chains is shared for five seconds.
 *
 * @param owner Connections of the schema's owner, who may read the sessions of the database.
 * @param listJobs Returns the states of the jobs of this process.
 */
export function createHealthReader(
  parts: HealthParts,
  owner: Database<Tables>,
  listJobs: () => readonly JobState[],
): HealthReader {
  const readChainsOnce = cacheLookup(() => readChains(parts), { ttlMs: CHAINS_TTL_MS })
  const db = parts.database.system
  return async () => {
    const started = performance.now()
    await sql`select 1`.execute(db)
    const databaseMs = Math.round(performance.now() - started)
    const [ofChains, solana, unknownSettlements, due, audit, suspended, blockedSessions] = await Promise.all([
      readChainsOnce('all'),
      readSolana(parts),
      listUnknown(db, LISTED_SETTLEMENTS),
      readDueDeliveries(db),
      readLastAudit(db),
      listSuspendedDeposits(db, LISTED_WALLETS),
      listBlockedSessions(owner.system, LISTED_SESSIONS),
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
        name,
        everyMs,
        problem,
        ...(succeededAt !== undefined && { succeedTime: new Date(succeededAt).toISOString() }),
      })),
      unknownSettlements,
      dueDeliveries: due.count,
      oldestDueDeliverySeconds: Math.round(due.oldestSeconds),
      ...(audit && { auditTime: new Date(Date.now() - audit.ageSeconds * 1000).toISOString() }),
      auditProblems: kinds.reduce((sum, { count }) => sum + count, 0),
      ...(kinds.length > 0 && { auditProblemKinds: kinds }),
      ...(suspended.length > 0 && { suspendedDeposits: suspended }),
      blockedSessions,
    }
  }
}

async function readChains(parts: HealthParts): Promise<{ chains: ChainHealth[]; signers: SignerHealth[] }> {
  const { chains } = parts.payments
  const signerParts = { ...parts, db: parts.database.system }
  const states = await listSignerStates(signerParts)
  const [chainHealth, signerHealth] = await Promise.all([
    Promise.all(chains.all.map((chain) => readChain(parts, chain))),
    Promise.all(states.map((state) => readSigner(signerParts, state))),
  ])
  return { chains: chainHealth, signers: signerHealth }
}

/** Reads the networks of Solana. Undefined if none is configured. */
async function readSolana(parts: HealthParts): Promise<SolanaHealth[] | undefined> {
  const statuses = await parts.payments.svm?.readStatus()
  if (statuses === undefined) return undefined
  const states = await listFeePayerStates({ ...parts, db: parts.database.system })
  return statuses.map(({ network, newestSlot, headAgeSeconds, nodes, feePayers, problem }) => ({
    network,
    ...(newestSlot !== undefined && { newestSlot }),
    ...(headAgeSeconds !== undefined && { headAgeSeconds }),
    nodes: nodes.map(({ newestSlot: slot, ...node }) => ({
      ...node,
      ...(slot !== undefined && { newestSlot: slot, lagSlots: (newestSlot ?? slot) - slot }),
    })),
    feePayers: states
      .filter((state) => state.network === network)
      .map(({ signer, status, sent, mined, isRemovable }) => {
        const lamports = feePayers.find(({ address }) => address === signer)?.lamports
        return {
          address: signer,
          ...(lamports !== undefined && { balance: String(lamports) }),
          isLow: lamports !== undefined && lamports < LOW_FEE_PAYER_LAMPORTS,
          status,
          outstanding: sent + mined,
          isRemovable,
        }
      }),
    problem,
  }))
}

async function readChain(parts: HealthParts, chain: Chain): Promise<ChainHealth> {
  const states = await readNodeStates(chain)
  const headTime = findNewestState(states)?.headTime
  const isTreasury = chain.id === parts.config.treasuryChain
  const lag = isTreasury && headTime !== undefined ? await orProblem(() => readLag(parts, chain)) : undefined
  return {
    chainId: chain.id,
    network: chain.network,
    ...lag,
    ...(headTime !== undefined && { headAgeSeconds: getAgeSeconds(headTime) }),
    ...toNodesHealth(states),
  }
}

async function readLag(parts: HealthParts, chain: Chain): Promise<{ depositLagBlocks?: number }> {
  const lag = (await readDepositLag(parts)).get(String(chain.id))
  return lag === undefined ? {} : { depositLagBlocks: lag }
}

/** Reads a signer on one chain. */
export async function readSigner(
  { db, payments, config }: SignerParts,
  state: SignerState,
): Promise<SignerHealth> {
  const { chainId, signer: address, status, sent, mined, isRemovable } = state
  const chain = payments.chains.byId(chainId)
  const nextNonce = await getNextNonce(db, chainId, address)
  const account: Partial<SignerAccount> & { problem: string } =
    chain === undefined
      ? { problem: 'The chain is not among CHAINS' }
      : await orProblem(() => readAccount(chain, address, config.price))
  const isForeign = nextNonce !== undefined && (account.minedNonce ?? 0) > nextNonce
  return {
    chainId,
    address,
    isLow: false,
    ...account,
    ...(nextNonce !== undefined && { nextNonce }),
    ...(isForeign && { problem: FOREIGN_NONCES }),
    status,
    outstanding: sent + mined,
    isRemovable,
  }
}

type SignerAccount = Required<Pick<SignerHealth, 'balance' | 'isLow' | 'minedNonce' | 'pendingNonce'>>

async function readAccount({ client }: Chain, signer: string, price: bigint): Promise<SignerAccount> {
  const address = asHex(signer)
  const [balance, minedNonce, pendingNonce] = await Promise.all([
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getTransactionCount({ address, blockTag: 'pending' }),
  ])
  const isLow = balance < price * LOW_BALANCE_PRICES
  return { balance: String(balance), isLow, minedNonce, pendingNonce }
}
