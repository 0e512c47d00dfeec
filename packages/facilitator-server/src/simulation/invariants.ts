import { price } from '../engine/testing-engine.ts'
import type { Payment } from '../payment/payment.ts'
import { type Facts, findPaid, type SettlementFact } from './facts.ts'
import { createSigner, SIGNER_INDICES, TREASURY } from './wallets.ts'
import type { World } from './world.ts'

/** The credit and the quota of each account, in prices. */
export const ACCOUNT_MEANS = [
  { settles: 3, quota: 3 },
  { settles: 2, quota: 5 },
] as const

interface Invariant {
  readonly name: string
  /** Returns a sentence for each violation. */
  readonly check: (world: World, facts: Facts) => readonly string[]
}

const OUR_SIGNERS: ReadonlySet<string> = new Set(SIGNER_INDICES.map((index) => createSigner(index).address))

/** The settlement of each payment that has one. */
function listSettled(
  world: World,
  { settlements }: Facts,
): { payment: Payment; settlement: SettlementFact }[] {
  return world.payments.flatMap((payment) => {
    const settlement = settlements.find(
      ({ payer, nonce }) => payer === payment.payer && nonce === payment.nonce,
    )
    return settlement === undefined ? [] : [{ payment, settlement }]
  })
}

/**
 * Whether one of our transactions was mined for the settlement at some time, also in a block that was
 * replaced.
 */
const wasEverMined = ({ chain }: World, { transaction }: SettlementFact, { signed }: Facts): boolean =>
  transaction !== null && chain.everMined.has(transaction) && signed.has(transaction)

/** What must hold at the end of every simulation. */
const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every unknown ends',
    check: (_, { settlements, openTransactions }) => [
      ...settlements
        .filter(
          ({ state, is_final }) =>
            state === 'sent' || state === 'unknown' || (state === 'settled' && !is_final),
        )
        .map(({ id, state }) => `settlement ${id} is still ${state}`),
      ...settlements
        .filter(({ state, has_lease }) => has_lease && state !== 'not_sent')
        .map(({ id, state }) => `settlement ${id} is ${state} and waits for another check`),
      ...openTransactions.map(({ id, state }) => `transaction ${id} is still ${state}`),
    ],
  },
  {
    name: 'a settlement is settled if and only if its payment is on the final chain',
    check: (world, facts) =>
      listSettled(world, facts).flatMap(({ payment, settlement: { id, state } }) => {
        const paid = findPaid(world, payment)
        if (state === 'settled' && paid === undefined)
          return [`settlement ${id} is settled without a payment`]
        const isOurs = paid !== undefined && OUR_SIGNERS.has(paid.from)
        // A stranger may submit an authorization that was not sent, before or after the release.
        if (paid !== undefined && state !== 'settled' && (isOurs || state !== 'not_sent'))
          return [`settlement ${id} is ${state}, and ${paid.hash} of ${paid.from} made its payment`]
        return []
      }),
  },
  {
    name: 'only its owner changes a settlement',
    check: ({ foreignChanges }) => foreignChanges,
  },
  {
    name: 'what is final is in a block of the final chain',
    check: ({ chain }, { settlements, finalTransactions }) => {
      const isInBlock = (hash: string | null, blockHash: string | null) =>
        chain
          .viewBehind(0)
          .blocks.some(
            (block) =>
              block.hash === blockHash &&
              block.transactions.some(({ transaction }) => transaction.hash === hash),
          )
      return [
        ...settlements
          .filter(({ is_final, transaction, block_hash }) => is_final && !isInBlock(transaction, block_hash))
          .map(({ id, transaction, block_hash }) => `settlement ${id} has ${transaction} in ${block_hash}`),
        ...finalTransactions
          .filter(({ hash, block_hash }) => !isInBlock(hash, block_hash))
          .map(({ hash, block_hash }) => `${hash} is in ${block_hash}`),
      ]
    },
  },
  {
    name: 'no charge without a mined transaction',
    check: (world, facts) =>
      listSettled(world, facts).flatMap(({ payment, settlement }) => {
        const { id, state, charge, hold } = settlement
        if (charge === null || hold === 'refunded' || findPaid(world, payment) !== undefined) return []
        const isDue = world.plan.chargeOn === 'upstream-2xx' && wasEverMined(world, settlement, facts)
        return isDue
          ? []
          : [`settlement ${id} is ${state} and charged, and none of its transactions was mined`]
      }),
  },
  {
    name: 'no mined transaction without a charge once it is final',
    check: (world, facts) => [
      ...listSettled(world, facts)
        .filter(
          ({ settlement: { state, charge, hold } }) =>
            state === 'settled' && (charge === null || hold !== 'captured'),
        )
        .map(({ settlement: { id } }) => `settlement ${id} is settled without a charge`),
      ...world.payments.flatMap((payment) => {
        const paid = findPaid(world, payment)
        if (paid === undefined || !OUR_SIGNERS.has(paid.from)) return []
        const isKnown = listSettled(world, facts).some((each) => each.payment === payment)
        return isKnown ? [] : [`${paid.hash} made a payment without a settlement`]
      }),
    ],
  },
  {
    name: 'a transaction is recorded before it is broadcast',
    check: ({ chain, payments }, { signed }) =>
      [...chain.mined.map(({ transaction }) => transaction), ...chain.pool]
        .filter(({ from, hash, data }) => OUR_SIGNERS.has(from) && !signed.has(hash) && data !== '0x')
        .filter(({ data }) => payments.some(({ nonce }) => data.includes(nonce.slice(2))))
        .map(({ hash }) => `${hash} was broadcast, and is not in the database`),
  },
  {
    name: 'reservations end and limits hold',
    check: (_, { accounts, settlements, deposits, quotas }) =>
      accounts.flatMap((account, index) => {
        const own = settlements.filter(({ account_id }) => account_id === account.id)
        const spent = own
          .filter(({ hold }) => hold === 'captured')
          .reduce((sum, each) => sum + BigInt(each.price), 0n)
        const credited = deposits
          .filter(({ account_id, reversed }) => account_id === account.id && !reversed)
          .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
        const expected = price * BigInt(ACCOUNT_MEANS[index]?.settles ?? 0) + credited - spent
        const used = quotas
          .filter(({ account_id }) => account_id === account.id)
          .reduce((sum, each) => sum + BigInt(each.used), 0n)
        return [
          ...(BigInt(account.available) === expected
            ? []
            : [`account ${account.id} has ${account.available}, not ${expected}`]),
          ...(used === spent
            ? []
            : [`the quotas of account ${account.id} have ${used} used, ${spent} was charged`]),
        ]
      }),
  },
  {
    name: 'a success is delivered once',
    check: ({ outcomes, payments }) =>
      payments.flatMap((payment, index) => {
        const delivered = outcomes.filter(
          (each) => each.payment === payment && each.outcome.kind === 'settled' && !each.outcome.repeated,
        )
        return delivered.length > 1 ? [`payment ${index} was delivered ${delivered.length} times`] : []
      }),
  },
  {
    name: 'one payment at most is executed under an identifier',
    check: ({ chain }, { settlements }) => {
      const executed = new Set<string>(
        chain.mined.flatMap(({ transaction: { hash }, execution }) => (execution.succeeded ? [hash] : [])),
      )
      const byIdentifier = Map.groupBy(
        settlements.filter(({ payment_identifier }) => payment_identifier !== null),
        ({ account_id, payer, payment_identifier }) => `${account_id} ${payer} ${payment_identifier}`,
      )
      return [...byIdentifier].flatMap(([identifier, own]) => {
        // A stranger's transaction is not among the attempts.
        const paid = own.filter(({ attempts }) => attempts.some((hash) => executed.has(hash)))
        return paid.length > 1 ? [`${identifier}: settlements ${paid.map(({ id }) => id).join(' and ')}`] : []
      })
    },
  },
  {
    name: 'a reported outcome is true',
    check: (world) =>
      world.outcomes.flatMap(({ payment, outcome }) => {
        const index = world.payments.indexOf(payment)
        const paid = findPaid(world, payment)
        if (outcome.kind === 'failed' && paid !== undefined)
          return [`payment ${index} was reported as failed, and was made`]
        const transaction =
          outcome.kind === 'settled'
            ? outcome.settlement.transaction
            : outcome.kind === 'duplicate'
              ? outcome.transaction
              : undefined
        if (transaction !== undefined && !world.chain.everSucceeded.has(transaction))
          return [`payment ${index} was reported as settled, and ${transaction} never made it`]
        return []
      }),
  },
  {
    name: 'every final deposit is credited once',
    check: ({ chain }, { deposits }) => {
      const made = chain.mined.filter(
        ({ transaction: { to }, execution }) => to === TREASURY && execution.succeeded,
      )
      const credited = deposits.filter(({ reversed }) => !reversed)
      const missing = made.filter(({ transaction: { hash } }) => !credited.some((each) => each.hash === hash))
      const invented = credited.filter(
        ({ hash }) => !made.some(({ transaction }) => transaction.hash === hash),
      )
      return [
        ...missing.map(({ transaction: { hash } }) => `the deposit ${hash} was not credited`),
        ...invented.map(({ hash }) => `the deposit ${hash} is not on the chain`),
      ]
    },
  },
  {
    name: 'a payment is lost only if its block was replaced',
    check: ({ chain }, { settlements }) =>
      settlements
        .filter(({ events, transaction, attempts }) => {
          const settled = events.indexOf('settlement.settled')
          const isLost = settled !== -1 && events.indexOf('settlement.unknown', settled) !== -1
          // A stranger's transaction is not among the attempts.
          return isLost && ![transaction ?? '', ...attempts].some((hash) => chain.everReplaced.has(hash))
        })
        .map(
          ({ id, transaction }) => `settlement ${id} was lost, and no block of ${transaction} was replaced`,
        ),
  },
  {
    name: 'no deposit is reversed, because no final block is replaced',
    check: (_, { reversals }) => (reversals === 0 ? [] : [`${reversals} deposits were reversed`]),
  },
  {
    name: 'no account is frozen',
    check: (_, { accounts }) =>
      accounts.filter(({ frozen }) => frozen).map(({ id }) => `account ${id} is frozen`),
  },
  {
    name: 'no call ends with an unexpected error',
    check: ({ surprises }) => surprises,
  },
]

/** Checks all invariants. Returns a line for each violation. */
export function checkInvariants(world: World, facts: Facts): string[] {
  return INVARIANTS.flatMap(({ name, check }) => check(world, facts).map((detail) => `${name}: ${detail}`))
}
