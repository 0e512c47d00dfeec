import { ConflictError, Id, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { facilitatorOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { DECISION_REFUSED } from './rules.ts'

const nodeHealth = record({
  /** The number of the node's newest block; absent if the node does not respond. */
  newestBlock: v.optional(Integer),
  /** How long the node took to respond, in milliseconds. */
  responseMs: Integer,
  /** Why the node did not return its newest block; `''` if it did. */
  problem: v.string(),
})

const chainHealth = record({
  /** The chain's id. */
  chainId: Integer,
  /** The CAIP-2 id of the chain, such as `eip155:84532`. */
  network: v.string(),
  /** The number of the newest block; absent if the chain cannot be read. */
  newestBlock: v.optional(Integer),
  /** Seconds since the time of the newest block; absent if the chain cannot be read. */
  headAgeSeconds: v.optional(Integer),
  /** Final blocks of the treasury's chain whose deposits were not read; absent for other chains. */
  depositLagBlocks: v.optional(Integer),
  /** How long the node with the newest block took to respond, in milliseconds. */
  responseMs: Integer,
  /** Why the chain cannot be read; `''` if it can. */
  problem: v.string(),
  /** The nodes of the chain, in the order of the settings. */
  nodes: v.array(nodeHealth),
})

/** Whether a signer or fee payer has its key, and takes new payments. */
const SignerStatus = v.picklist(['active', 'retired', 'missing'])

const feePayerHealth = record({
  /** The fee payer's address, in base58. */
  address: v.string(),
  /** The balance, in lamports; absent if the network cannot be read, or the status is `missing`. */
  balance: v.optional(v.string()),
  /** Whether the balance is below 0.05 SOL. */
  isLow: v.boolean(),
  /**
   * `active`, `retired`, or `missing`: it has transactions that are not final, and its key is not configured.
   * They need no key.
   */
  status: SignerStatus,
  /** The number of its transactions on the network that are not final. */
  outstanding: Integer,
  /** Whether it is retired and its key can be removed: nothing of it is outstanding on any network. */
  isRemovable: v.boolean(),
})

const solanaNode = record({
  /** The newest confirmed slot of the node; absent if the node cannot be used. */
  newestSlot: v.optional(Integer),
  /** How many slots the node is behind the newest slot of the network; absent if the node cannot be used. */
  lagSlots: v.optional(Integer),
  /** How long the node took to respond, in milliseconds. */
  responseMs: Integer,
  /** Whether the node is of another network than its entry in the settings. */
  isForeign: v.boolean(),
  /** Why the node cannot be used; `''` if it can. */
  problem: v.string(),
})

const solanaHealth = record({
  /** The CAIP-2 id of the network. */
  network: v.string(),
  /** The newest confirmed slot; absent if the network cannot be read. */
  newestSlot: v.optional(Integer),
  /** Seconds since the block of the newest slot; absent if no node returned its time. */
  headAgeSeconds: v.optional(Integer),
  /** The nodes of the network, in the order of the settings. */
  nodes: v.array(solanaNode),
  /** The accounts that pay the fees of settlements, those whose keys are missing last. */
  feePayers: v.array(feePayerHealth),
  /** Why no node of the network can be used; `''` if one can. */
  problem: v.string(),
})

const signerHealth = record({
  /** The chain's id. */
  chainId: Integer,
  /** The signer's address, in lower case. */
  address: v.string(),
  /** The balance for gas, in wei; absent if the chain cannot be read. */
  balance: v.optional(v.string()),
  /** Whether the balance is low. */
  isLow: v.boolean(),
  /** The nonce after the last mined transaction; absent if the chain cannot be read. */
  minedNonce: v.optional(Integer),
  /** The nonce after the last transaction that the node has; absent if the chain cannot be read. */
  pendingNonce: v.optional(Integer),
  /** The next nonce of this facilitator; absent before its first transaction. */
  nextNonce: v.optional(Integer),
  /** What is wrong with the signer; `''` if nothing. */
  problem: v.string(),
  /**
   * `active`, `retired`, or `missing`: it has transactions that are not final, and its key is not configured,
   * so that they cannot be replaced.
   */
  status: SignerStatus,
  /** The number of its transactions on the chain that are not final. */
  outstanding: Integer,
  /**
   * Whether it is retired and its key can be removed: on no chain is anything outstanding, no payment that is
   * signed for it can be valid, and none that it has authorized can be captured.
   */
  isRemovable: v.boolean(),
})

const jobHealth = record({
  /** The job's name. */
  name: v.string(),
  /** The pause between its runs, in milliseconds. */
  everyMs: Integer,
  /** When its last successful run ended; absent before the first one. */
  succeedTime: v.optional(Timestamp),
  /** Why the last run failed; `''` if it succeeded. */
  problem: v.string(),
})

const unknownSettlement = record({
  /** The settlement's id. */
  id: Integer,
  /** The order's number. */
  orderNo: v.string(),
  /** The CAIP-2 id of the chain. */
  network: v.string(),
  /** Seconds since the settlement was requested. */
  ageSeconds: Integer,
})

const suspendedDeposit = record({
  /** The wallet, in lower case. */
  payer: v.string(),
  /** The chain's id. */
  chainId: Integer,
  /** The sum of its deposits, in wei. */
  amount: v.string(),
  /** The number of its deposits. */
  deposits: Integer,
  /** When the first of them was read. */
  firstTime: Timestamp,
})

const auditProblemCount = record({
  /** The comparison: `ledger`, `settlements`, `signers`, `payments` or `chains`. */
  kind: v.string(),
  /** The number of problems that it found. */
  count: Integer,
})

const blockingSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session, such as `mintmark-facilitator`; `''` if it has no name. */
  program: v.string(),
  /** What the session does, such as `idle in transaction`; `''` if it cannot be read. */
  state: v.string(),
  /** The seconds since its transaction began; absent if it has none. */
  transactionSeconds: v.optional(Integer),
  /** The beginning of its newest statement; `''` for a session of another program. */
  statement: v.string(),
  /** The database role that opened the session; `''` for a process of the database itself. */
  databaseRole: v.string(),
  /** When the session began, which `endSession` requires; absent if it cannot be read. */
  startTime: v.optional(Timestamp),
  /**
   * Whether `endSession` can end the session: it is one of the server's own database, and the server's
   * database role may end it.
   */
  isEndable: v.boolean(),
})

const blockedSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session, such as `mintmark-facilitator`; `''` if it has no name. */
  program: v.string(),
  /** The seconds for which it has waited for the lock. */
  waitingSeconds: Integer,
  /** The beginning of the statement that waits; `''` for a session of another program. */
  statement: v.string(),
  /** The sessions that have the lock, or wait for it before this one. */
  blockers: v.array(blockingSession),
})

const operatorHealth = record({
  /** The server's version. */
  version: v.string(),
  /** The server's time. */
  time: Timestamp,
  /** How long the database took to respond, in milliseconds. */
  databaseMs: Integer,
  /** The configured chains. */
  chains: v.array(chainHealth),
  /** The signers on each chain, those whose keys are missing last; empty if another facilitator settles. */
  signers: v.array(signerHealth),
  /** The networks of Solana; absent if none is configured. */
  solana: v.optional(v.array(solanaHealth)),
  /** The jobs of the process that responded. */
  jobs: v.array(jobHealth),
  /** The oldest 100 settlements whose outcome is unknown. */
  unknownSettlements: v.array(unknownSettlement),
  /** The number of deliveries of webhooks that are due, at most 1,000. */
  dueDeliveries: Integer,
  /** How late the oldest due delivery of a webhook is, in seconds; 0 for none. */
  oldestDueDeliverySeconds: Integer,
  /** When the last audit ended; absent before the first one. */
  auditTime: v.optional(Timestamp),
  /** The number of problems that the last audit found. */
  auditProblems: Integer,
  /** The comparisons of the last audit that found problems; absent if none did. */
  auditProblemKinds: v.optional(v.array(auditProblemCount)),
  /** The 100 wallets without an account that have the largest sums of deposits; absent if there is none. */
  suspendedDeposits: v.optional(v.array(suspendedDeposit)),
  /** The 20 sessions of the database that have waited longest for a lock, for at least a second. */
  blockedSessions: v.array(blockedSession),
})
/** How a facilitator and what it depends on are. */
export interface OperatorHealth extends v.InferOutput<typeof operatorHealth> {}
export const OperatorHealth: Schema<OperatorHealth> = operatorHealth

/**
 * Reports how the facilitator, its database, chains, signers and jobs are. Calls within five seconds share
 * what was read of the chains.
 *
 * @example
 * const { chains, signers, unknownSettlements } = await operatorHealth.get(operator)
 */
export const get = facilitatorOperation({
  id: 'operatorHealth.get',
  method: 'GET',
  path: '/operator/v1/health',
  source: 'own',
  scope: 'operator:read',
  data: OperatorHealth,
})

const endedSession = record({
  /** The process id of the session in the database. */
  sessionId: Integer,
  /** The program that opened the session; `''` if it has no name. */
  program: v.string(),
  /** Whether it ended within five seconds. Otherwise the database ends it as soon as it can. */
  hasEnded: v.boolean(),
})
/** A session of the database that was ended. */
export interface EndedSession extends v.InferOutput<typeof endedSession> {}
export const EndedSession: Schema<EndedSession> = endedSession

/**
 * Ends a session of the server's database for which other sessions wait, as `blockedSessions` lists it. Its
 * transaction is rolled back. Whether it blocks others is decided at the moment of the call.
 * `DECISION_REFUSED` if it does not, or if the server's database role may not end it: the message says which
 * rights are missing. ConflictError if the Idempotency-Key was sent for another change. Requires the header
 * X-Mintmark-Actor.
 *
 * @example
 * const { blockedSessions } = await operatorHealth.get(operator)
 * for (const { sessionId, startTime, isEndable } of blockedSessions.flatMap(({ blockers }) => blockers))
 *   if (isEndable && startTime !== undefined) await operatorHealth.endSession(operator, { sessionId, startTime })
 */
export const endSession = facilitatorOperation({
  id: 'operatorHealth.endSession',
  method: 'POST',
  path: '/operator/v1/health/endSession',
  source: 'own',
  scope: 'operator:write',
  body: {
    /** The process id of the session in the database. */
    sessionId: Id,
    /** When the session began, as `blockedSessions` has it: the database uses process ids again. */
    startTime: Timestamp,
  },
  data: EndedSession,
  errors: [DECISION_REFUSED, ConflictError],
})
export type EndSessionInput = InputOf<typeof endSession>
