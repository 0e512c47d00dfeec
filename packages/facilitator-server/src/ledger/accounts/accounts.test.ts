import { afterEach, expect, test } from 'vitest'
import { somePayment, testMoney } from '../../engine/testing-engine.ts'
import { checkLedger } from '../check/check.ts'
import { creditDeposit, type Deposit, reverseDeposit } from '../deposits/deposits.ts'
import { createAccount, creditAccount, freezeAccount, getAccount } from './accounts.ts'

const money = await testMoney()
afterEach(() => money.endTest())

let wallets = 0
const wallet = () => `0x${(++wallets).toString(16).padStart(40, 'A')}`
const operator = { actor: 'alice', reason: 'goodwill' }
const deposit = (payer: string, amount: bigint, given: Partial<Deposit> = {}): Deposit => ({
  chainId: 84532,
  hash: `0x${(++wallets).toString(16).padStart(64, '0')}`,
  logIndex: 3,
  payer,
  amount,
  blockNumber: 7n,
  blockHash: '0x07',
  ...given,
})

test('a settle passes the delay of its account to the upstream', async () => {
  const account = await money.account()
  const delays: (number | undefined)[] = []
  const engine = money.another({
    upstream: {
      settle(payment, { batchDelayMs }) {
        delays.push(batchDelayMs)
        return money.upstream.settle(payment)
      },
    },
  })
  await engine.settle(somePayment(), money.by(account))
  await engine.settle(somePayment(), money.by({ ...account, batchDelayMs: 20 }))
  expect(delays).toEqual([undefined, 20])
})

test('credits a deposit once, however often and by however many processes it is reported', async () => {
  const { id, payer } = await createAccount(money.db, { payer: wallet() })
  const once = deposit(payer, 40n)
  const results = await Promise.all(Array.from({ length: 10 }, () => creditDeposit(money.db, once)))
  expect(results.filter((credited) => credited === 'credited')).toHaveLength(1)
  expect(await creditDeposit(money.db, { ...once, logIndex: 4 })).toBe('credited')
  expect((await getAccount(money.db, id)).available).toBe(80n)
})

test('deposits of a wallet without an account wait in suspense, and are its own when it opens one', async () => {
  const payer = wallet()
  for (let each = 0; each < 10; each += 1) {
    const other = wallet()
    // The deposit arrives while the account is being opened: never in both places, never in none.
    await Promise.all([
      creditDeposit(money.db, deposit(other, 9n)),
      createAccount(money.db, { payer: other }),
    ])
    expect((await getAccount(money.db, other)).available).toBe(9n)
  }
  expect(await creditDeposit(money.db, deposit(payer, 7n))).toBe('suspended')
  expect((await checkLedger(money.db)).totals.suspense).toBe(7n)
  expect((await createAccount(money.db, { payer })).available).toBe(7n)
  expect((await checkLedger(money.db)).totals.suspense).toBe(0n)
})

test('reverses a deposit that a reorganization removed, records the spent amount as a debt, and freezes the account', async () => {
  const account = await createAccount(money.db, { payer: wallet() })
  const lost = deposit(account.payer, 100n)
  await creditAccount(money.db, { account: account.id, amount: 30n, ...operator })
  await creditDeposit(money.db, lost)
  await money.db.transaction().execute(async (trx) => {
    // Spent: all but 50.
    await trx
      .updateTable('facilitator.accounts')
      .set({ available: 50n })
      .where('id', '=', account.id)
      .execute()
    const spent = {
      kind: 'hold',
      debit: 'available',
      credit: 'revenue',
      amount: 80n,
      account_id: account.id,
    } as const
    await trx.insertInto('facilitator.ledger_transfers').values(spent).execute()
  })
  expect(await reverseDeposit(money.db, lost)).toBe(true)
  expect(await reverseDeposit(money.db, lost)).toBe(false)
  expect(await getAccount(money.db, account.id)).toMatchObject({
    available: 0n,
    owed: 50n,
    frozenReason: expect.any(String),
  })
  await creditDeposit(money.db, deposit(account.payer, 60n))
  expect(await getAccount(money.db, account.id)).toMatchObject({ available: 10n, owed: 0n })
  // It comes back in another block.
  expect(await creditDeposit(money.db, { ...lost, blockNumber: 9n })).toBe('credited')
  expect(await getAccount(money.db, account.id)).toMatchObject({ available: 110n })
})

test('a deposit that is reversed while in suspense cannot be claimed', async () => {
  const payer = wallet()
  const lost = deposit(payer, 12n)
  await creditDeposit(money.db, lost)
  expect(await reverseDeposit(money.db, lost)).toBe(true)
  expect((await createAccount(money.db, { payer })).available).toBe(0n)
})

test('ends the freeze of a lost deposit when the deposit is found again, once all of them are', async () => {
  const { id, payer } = await createAccount(money.db, { payer: wallet() })
  const [first, second] = [deposit(payer, 10n), { ...deposit(payer, 20n), logIndex: 7 }]
  for (const one of [first, second]) await creditDeposit(money.db, one)
  for (const one of [first, second]) await reverseDeposit(money.db, one)
  await creditDeposit(money.db, first)
  expect(await getAccount(money.db, id)).toMatchObject({ available: 10n, frozenReason: expect.any(String) })
  await creditDeposit(money.db, second)
  const account = await getAccount(money.db, id)
  expect(account).toMatchObject({ available: 30n })
  expect(account).not.toHaveProperty('frozenReason')
})

test.each(['before', 'after'])(
  "keeps an operator's freeze of %s a deposit was lost when that deposit is found again",
  async (when) => {
    const { id, payer } = await createAccount(money.db, { payer: wallet() })
    const lost = deposit(payer, 10n)
    await creditDeposit(money.db, lost)
    if (when === 'before') await freezeAccount(money.db, id, operator)
    await reverseDeposit(money.db, lost)
    if (when === 'after') await freezeAccount(money.db, id, operator)
    await creditDeposit(money.db, lost)
    expect(await getAccount(money.db, id)).toMatchObject({
      available: 10n,
      frozenReason: `${operator.actor}: ${operator.reason}`,
    })
  },
)

test('a deposit that is credited again does not end a freeze for another reversed deposit', async () => {
  const { id, payer } = await createAccount(money.db, { payer: wallet() })
  const [kept, lost] = [deposit(payer, 10n), { ...deposit(payer, 20n), logIndex: 8 }]
  for (const one of [kept, lost]) await creditDeposit(money.db, one)
  await reverseDeposit(money.db, lost)
  await creditDeposit(money.db, { ...kept, logIndex: 9 })
  expect(await getAccount(money.db, id)).toMatchObject({ frozenReason: expect.any(String) })
})

test('reports a balance that a lost deposit takes below the threshold', async () => {
  const { id, payer } = await createAccount(money.db, { payer: wallet() })
  const lost = deposit(payer, 10n)
  await creditDeposit(money.db, lost)
  await reverseDeposit(money.db, lost, { lowBalance: 5n })
  const events = money.db.selectFrom('facilitator.events').select(['type', 'data']).orderBy('id')
  expect(await events.where('account_id', '=', id).execute()).toMatchObject([
    { type: 'payer_balance.credited' },
    { type: 'payer_balance.low', data: { payer, balance: '0', threshold: '5' } },
  ])
})
