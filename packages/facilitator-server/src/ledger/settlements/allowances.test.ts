import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { somePayment, testMoney } from '../../engine/testing-engine.ts'
import type { PayerFunds, Payment } from '../../payment/payment.ts'
import { permit2Address } from '../../schemes/evm/shared/permit2/permit2-contracts.ts'
import { createReserve, type PayingAccount, type Reservation } from './reserve.ts'

const BLOCK = 100n

const money = await testMoney()
let account: PayingAccount
let payer: string
let reserve: ReturnType<typeof createReserve>
beforeAll(async () => {
  account = await money.account({ settles: 1000 })
  reserve = createReserve(money.db, {
    price: 1n,
    upstream: 'built-in',
    leaseMilliseconds: 60_000,
    patience: 1_000,
    lowBalance: 0n,
    revertLimits: { windowSeconds: 3600, perPayer: 0, perAccount: 0 },
    faultPoint: () => {},
  })
})
beforeEach(() => {
  payer = `payer ${randomUUID()}`
})

type Allowance = NonNullable<PayerFunds['allowance']>

/** Reserves a payment by Permit2 of a payer with a large balance. */
async function reserveOne(
  amount: bigint,
  allowance: Allowance,
  more: Partial<Payment> = {},
): Promise<Reservation> {
  const payment = somePayment({ payer, amount, domain: permit2Address, ...more })
  const funds = { balance: 10n ** 12n, allowance, block: BLOCK, readAt: performance.now() }
  return reserve({ payment, account, attempt: randomUUID(), api: 'native', funds })
}
const REFUSED = { kind: 'refused', cause: 'allowance' }
const GRANTED = { kind: 'granted' }

/** Ends the settlements of the payer as mined in a block. */
const settleIn = (block: bigint) =>
  sql`update facilitator.settlements set state = 'settled', hold = 'captured', transaction = 'hash', lease_until = null,
    ended_at = clock_timestamp(), block_number = ${block.toString()}::numeric where payer = ${payer}`.execute(
    money.db,
  )

test('grants concurrent payments as far as the allowance of Permit2 covers them, and refuses the others', async () => {
  const reservations = await Promise.all(Array.from({ length: 30 }, () => reserveOne(10n, 45n)))
  expect(reservations.filter(({ kind }) => kind === 'granted')).toHaveLength(4)
  expect(reservations.filter(({ kind }) => kind === 'refused')).toEqual(
    Array.from({ length: 26 }, () => REFUSED),
  )
})

test.each<[string, Allowance, Allowance, object]>([
  ['beside one that leaves enough', 20n, 20n, GRANTED],
  ['beside one that leaves too little', 19n, 19n, REFUSED],
  ['whose own approval would be used by the one in flight', 10n, 'own', REFUSED],
  ['beside one whose own approval replaces the allowance', 'own', 10n ** 9n, REFUSED],
  ['beside one, both with approvals of their own', 'own', 'own', REFUSED],
])(
  'reserves a payment by Permit2 %s: in sequence and in one statement',
  async (_, first, second, expected) => {
    expect(await reserveOne(10n, first)).toMatchObject(GRANTED)
    expect(await reserveOne(10n, second)).toMatchObject(expected)
    payer = `payer ${randomUUID()}`
    const together = await Promise.all([reserveOne(10n, first), reserveOne(10n, second)])
    const granted = together.filter(({ kind }) => kind === 'granted')
    expect(granted).toHaveLength(expected === GRANTED ? 2 : 1)
  },
)

test('counts neither payments of another token, nor those that Permit2 does not execute', async () => {
  const asset = '0x00000000000000000000000000000000000000a5'
  expect(await reserveOne(10n, 'own', { asset })).toMatchObject(GRANTED)
  expect(await reserveOne(10n, 10n, { domain: somePayment().asset })).toMatchObject(GRANTED)
  expect(await reserveOne(10n, 10n)).toMatchObject(GRANTED)
})

test.each([
  ['until the allowance was read as of its block', BLOCK, GRANTED],
  ['while the allowance was read before its block', BLOCK + 1n, REFUSED],
])('a settled payment takes from the allowance %s', async (_, block, expected) => {
  for (const allowance of [10n, 'own'] as const) {
    payer = `payer ${randomUUID()}`
    expect(await reserveOne(10n, allowance)).toMatchObject(GRANTED)
    await settleIn(block)
    // As read after the end of the first one.
    expect(await reserveOne(10n, 10n)).toMatchObject(expected)
  }
})

test('a payment that was not sent is reserved again with the approval that it has then', async () => {
  const payment = { nonce: `0x${randomUUID()}`, signature: '0x02' }
  for (const [allowance, expected] of [
    ['own', REFUSED],
    [20n, GRANTED],
  ] as const) {
    expect(await reserveOne(10n, allowance, payment)).toMatchObject(GRANTED)
    expect(await reserveOne(10n, 20n)).toMatchObject(expected)
    await sql`update facilitator.settlements set state = 'not_sent', hold = 'released', lease_until = null
      where payer = ${payer}`.execute(money.db)
  }
})

test('responds with the settlement of a payment that is repeated, whatever the allowance is', async () => {
  const payment = { nonce: '0x01', signature: '0x02' }
  const first = await reserveOne(10n, 10n, payment)
  expect(first).toMatchObject(GRANTED)
  expect(await reserveOne(10n, 0n, payment)).toEqual({ ...first, kind: 'existing' })
})
