import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { getAccount } from '../../ledger/accounts/accounts.ts'
import type { PayingAccount } from '../../ledger/settlements/reserve.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import type { ChainReader, Payment } from '../../payment/payment.ts'
import {
  letTimePass,
  losesTheCall,
  network,
  PretendChain,
  price,
  responded,
  settles,
  settlesInBlock,
  settlesSilently,
  somePayment,
  testMoney,
} from '../testing-engine.ts'

const money = await testMoney()
afterEach(async () => {
  money.chain.final = true
  money.chain.lags = false
  await money.endTest()
})

const row = async (payment: Payment) => {
  const found = await findByPayment(money.db, paymentKey(payment))
  if (found === undefined) throw new Error('there is no such settlement')
  return found
}
const available = async ({ id }: PayingAccount) => (await getAccount(money.db, id)).available / price
const reconcile = async () => {
  await letTimePass(money.db)
  return money.engine.reconcile()
}
const toEvents = async (payment: Payment) => {
  const subject = `settlement:${(await row(payment)).id}`
  const events = money.db.selectFrom('facilitator.events').select('type').where('subject', '=', subject)
  return (await events.orderBy('sequence').execute()).map(({ type }) => type.replace('settlement.', ''))
}
async function unknown(behavior = losesTheCall) {
  money.upstream.behavior = behavior
  const account = await money.account({ settles: 2 })
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  return { account, payment }
}

test('a payment that the chain contains is settled and charged, whatever the upstream reported', async () => {
  const { account, payment } = await unknown(settlesSilently)
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'settled', reconciled: true, hold: 'captured' })
  expect((await row(payment)).block_hash).toMatch(/^0x/)
  expect(await available(account)).toBe(1n)
  expect(await toEvents(payment)).toEqual(['unknown', 'settled', 'reconciled'])
})

test('a payment that can never be executed fails, and its price is released', async () => {
  const { account, payment } = await unknown()
  await reconcile()
  expect((await row(payment)).state).toBe('unknown')
  expect(await available(account)).toBe(1n)
  money.chain.says(payment, { kind: 'failed', reason: 'authorization_canceled' })
  await reconcile()
  expect(await row(payment)).toMatchObject({
    state: 'failed',
    hold: 'released',
    reason: 'authorization_canceled',
  })
  expect(await available(account)).toBe(2n)
  expect(await toEvents(payment)).toEqual(['unknown', 'failed', 'reconciled'])
  expect(await money.engine.settle(payment, money.by(account))).toMatchObject({
    kind: 'failed',
    charged: false,
  })
})

function createChain(...networks: string[]): PretendChain {
  const chain = new PretendChain()
  chain.networks = new Set(networks)
  return chain
}

test('a process that knows neither the chain nor its network leaves its settlements to other processes', async () => {
  const account = await money.account({ settles: 2 })
  const settled = somePayment()
  await money.engine.settle(settled, money.by(account))
  const { payment } = await unknown()
  await letTimePass(money.db)
  const before = [await row(settled), await row(payment)]
  const chainReader = createChain('eip155:1')
  const old = money.another({ chainReader, unreadableNetworks: new Set(['eip155:2']) })
  await old.reconcile()
  expect([await row(settled), await row(payment)]).toEqual(before)
  await reconcile()
  expect((await row(settled)).final_at).not.toBeNull()
})

test('nothing is left to check of a settled payment on a network that the operator declared unreadable', async () => {
  const account = await money.account({ settles: 1 })
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  await letTimePass(money.db)
  const unreadableNetworks = new Set([payment.network])
  await money.another({ chainReader: createChain(), unreadableNetworks }).reconcile()
  expect(await row(payment)).toMatchObject({ state: 'settled', lease_until: null, final_at: null })
})

const unproven = (transaction: string) =>
  ({
    kind: 'failed',
    reason: 'nonce_used',
    unproven: { transaction, blockNumber: 90n, blockHash: `0x${'9'.repeat(64)}` },
  }) as const

test('a payment that nothing proves fails and is not charged, and names the transaction that may have made it', async () => {
  const { account, payment } = await unknown()
  const transaction = `0x${'7'.repeat(64)}`
  money.chain.says(payment, unproven(transaction))
  const warnings: object[] = []
  const log = { error: () => {}, warn: (fields: object) => warnings.push(fields) }
  await letTimePass(money.db)
  await money.another({ log }).reconcile()
  const { id, message, ...failed } = await row(payment)
  expect(failed).toMatchObject({ state: 'failed', hold: 'released', reason: 'nonce_used', transaction })
  expect(message).toContain(transaction)
  expect(warnings).toEqual([{ settlementId: id, transaction }])
  expect(await available(account)).toBe(2n)
})

test('a settled payment stays settled where the chain does not prove the transaction that the upstream reported', async () => {
  const transaction = `0x${'6'.repeat(64)}`
  const reports = () => responded({ success: true, transaction, network: '' })
  const { payment } = await unknown(reports)
  money.chain.says(payment, unproven(transaction))
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'settled', hold: 'captured', block_number: '90' })
  expect((await row(payment)).final_at).not.toBeNull()
  const other = await unknown(reports)
  money.chain.says(other.payment, unproven(`0x${'5'.repeat(64)}`))
  await reconcile()
  expect((await row(other.payment)).state).toBe('unknown')
})

test('a payment that failed after a 2xx is charged unless only successful settlements are charged', async () => {
  const unsure = () =>
    responded({ success: false, errorReason: 'unexpected_settle_error', transaction: '', network: '' })
  for (const [chargeOn, left] of [
    ['upstream-2xx', 1n],
    ['settled', 2n],
  ] as const) {
    const { account, payment } = await unknown(unsure)
    money.chain.says(payment, { kind: 'failed', reason: 'expired' })
    await letTimePass(money.db)
    await money.another({ chargeOn }).reconcile()
    expect((await row(payment)).state).toBe('failed')
    expect(await available(account)).toBe(left)
  }
})

test('a payment of any age stays unknown and reserved while the chain does not decide it', async () => {
  const { account, payment } = await unknown()
  for (let look = 0; look < 5; look += 1) await reconcile()
  money.chain.says(payment, { kind: 'unreadable' })
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'unknown', hold: 'held' })
  expect(await available(account)).toBe(1n)
})

test('logs that a chain cannot be read, and reads it again later', async () => {
  const { payment } = await unknown(settlesSilently)
  const messages: string[] = []
  const log = { warn: () => {}, error: (_: object, message: string) => messages.push(message) }
  const broken = {
    networks: money.chain.networks,
    readable: () => true,
    compareWithFinal: async () => ({ final: 0n, comparisons: [] }),
    inspect: async () => {
      throw new Error('no route')
    },
  }
  await letTimePass(money.db)
  await money.another({ chainReader: broken, log }).reconcile()
  expect(messages).toContain('The chain could not be read')
  expect((await row(payment)).state).toBe('unknown')
  await reconcile()
  expect((await row(payment)).state).toBe('settled')
})

test('the chain is searched from the block that was known when the payment was reserved', async () => {
  const { network } = somePayment()
  await sql`
    insert into facilitator.chain_heads (network, block_number) values (${network}, 77)`.execute(money.db)
  await unknown()
  const hints: unknown[] = []
  const watching = {
    networks: money.chain.networks,
    readable: () => true,
    compareWithFinal: async () => ({ final: 0n, comparisons: [] }),
    inspect: async (_: unknown, hint: unknown) => {
      hints.push(hint)
      return { kind: 'unreadable' as const }
    },
  }
  await letTimePass(money.db)
  await money.another({ chainReader: watching }).reconcile()
  expect(hints).toContainEqual({ reservedBlock: 77n })
})

test('a call in progress is not reconciled until its lease ends, and its late response changes nothing', async () => {
  const account = await money.account({ settles: 2 })
  const payment = somePayment()
  let respond: () => void = () => {}
  const called = new Promise<void>((resolve) => {
    money.upstream.behavior = (sent, chain) => {
      resolve()
      return new Promise((reply) => {
        respond = () => reply(settles(sent, chain))
      })
    }
  })
  const settling = money.engine.settle(payment, money.by(account))
  await called
  await money.engine.reconcile()
  expect((await row(payment)).state).toBe('sent')
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('pending')
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'unknown', reason: 'interrupted' })
  respond()
  expect((await settling).kind).toBe('pending')
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'settled', hold: 'captured' })
  expect((await money.engine.settle(payment, money.by(account))).kind).toBe('settled')
})

test('locates a settled payment in its block, and checks it until the block is final', async () => {
  money.chain.final = false
  const account = await money.account()
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  expect(await row(payment)).toMatchObject({ block_hash: null, final_at: null })
  await reconcile()
  expect(await row(payment)).toMatchObject({ block_hash: expect.stringMatching(/^0x/), final_at: null })
  money.chain.final = true
  await reconcile()
  expect(await row(payment)).toMatchObject({ final_at: expect.any(Date), lease_until: null })
  expect(await toEvents(payment)).toEqual(['settled'])
})

describe('a settled payment whose upstream reported its block', () => {
  async function settleInBlock() {
    money.chain.final = false
    money.upstream.behavior = settlesInBlock
    const account = await money.account({ settles: 2 })
    const payment = somePayment()
    await money.engine.settle(payment, money.by(account))
    return { account, payment }
  }

  test('a settled payment whose upstream reported its block is compared by its block alone until the block is final', async () => {
    const { payment } = await settleInBlock()
    const { hash } = money.chain.requireBlock(payment)
    expect(await row(payment)).toMatchObject({ block_hash: hash, final_at: null })
    await reconcile()
    expect(await row(payment)).toMatchObject({ block_hash: hash, final_at: null })
    money.chain.final = true
    await reconcile()
    expect(await row(payment)).toMatchObject({ final_at: expect.any(Date), lease_until: null })
    expect(money.chain.inspected).not.toContain(payment.nonce)
    expect(await toEvents(payment)).toEqual(['settled'])
  })

  test('becomes unknown when the chain has another block there, and is charged once', async () => {
    const { account, payment } = await settleInBlock()
    money.chain.reorganize(payment)
    money.chain.final = true
    expect(await reconcile()).toMatchObject({ lost: 1 })
    expect(await row(payment)).toMatchObject({ state: 'unknown', hold: 'captured', block_hash: null })
    money.chain.execute(payment)
    await reconcile()
    expect(await row(payment)).toMatchObject({ state: 'settled', hold: 'captured' })
    expect(await available(account)).toBe(1n)
  })

  test('stays settled while the block that replaced its own is not final', async () => {
    const { payment } = await settleInBlock()
    // Also what a node shows that has not left a replaced branch.
    money.chain.reorganize(payment)
    money.chain.says(payment, { kind: 'open' })
    expect(await reconcile()).toMatchObject({ lost: 0 })
    money.chain.says(payment, { kind: 'failed', reason: 'expired' })
    expect(await reconcile()).toMatchObject({ lost: 0 })
    expect((await row(payment)).state).toBe('settled')
    expect(await toEvents(payment)).toEqual(['settled'])
    money.chain.final = true
    expect(await reconcile()).toMatchObject({ lost: 1 })
  })

  test('stays settled while the node lacks the block', async () => {
    const { payment } = await settleInBlock()
    money.chain.lags = true
    await reconcile()
    expect((await row(payment)).state).toBe('settled')
    expect(await toEvents(payment)).toEqual(['settled'])
  })
})

test('marks a payment that a reorganization removed as unknown, broadcasts it again, and charges it once', async () => {
  money.chain.final = false
  const account = await money.account({ settles: 2 })
  const payment = somePayment()
  const sentAgain: number[] = []
  const engine = money.another({ rebroadcast: async (id) => void sentAgain.push(id) })
  const look = async () => {
    await letTimePass(money.db)
    return engine.reconcile()
  }
  await engine.settle(payment, money.by(account))
  await look()
  const { id } = await row(payment)
  money.chain.reorganize(payment)
  expect(await look()).toMatchObject({ lost: 0 })
  expect(sentAgain).toEqual([id])
  money.chain.final = true
  expect(await look()).toMatchObject({ lost: 1 })
  expect(await row(payment)).toMatchObject({ state: 'unknown', hold: 'captured', block_hash: null })
  expect(sentAgain).toEqual([id, id])
  expect(await available(account)).toBe(1n)
  expect((await engine.settle(payment, money.by(account))).kind).toBe('pending')
  money.chain.execute(payment)
  await look()
  expect(await row(payment)).toMatchObject({ state: 'settled', hold: 'captured' })
  expect(await available(account)).toBe(1n)
  expect(await toEvents(payment)).toEqual(['settled', 'unknown', 'settled', 'reconciled'])
  // It was delivered before the reorganization.
  expect((await engine.settle(payment, money.by(account))).kind).toBe('duplicate')
})

test('checks the other payments when one cannot be broadcast again', async () => {
  money.chain.final = false
  const account = await money.account({ settles: 2 })
  const messages: string[] = []
  const engine = money.another({
    rebroadcast: async () => {
      throw new Error('no route')
    },
    log: { warn: () => {}, error: (_: object, message: string) => messages.push(message) },
  })
  const [removed, other] = [somePayment(), somePayment()]
  for (const payment of [removed, other]) await engine.settle(payment, money.by(account))
  await letTimePass(money.db)
  await engine.reconcile()
  money.chain.reorganize(removed)
  for (const final of [false, true]) {
    money.chain.final = final
    await letTimePass(money.db)
    await engine.reconcile()
  }
  expect(await row(removed)).toMatchObject({ state: 'unknown' })
  expect(await row(other)).toMatchObject({ final_at: expect.any(Date) })
  expect(messages).toEqual(Array.from({ length: 2 }, () => 'A payment could not be broadcast again'))
})

test('keeps the charge of a 2xx for a payment that a reorganization removed permanently, and refunds it without one', async () => {
  for (const [behavior, left, hold] of [
    [settles, 1n, 'captured'],
    [settlesSilently, 2n, 'refunded'],
  ] as const) {
    money.chain.final = false
    const { account, payment } = await unknown(behavior)
    await reconcile()
    await reconcile()
    expect((await row(payment)).state).toBe('settled')
    money.chain.reorganize(payment)
    money.chain.final = true
    money.chain.says(payment, { kind: 'failed', reason: 'expired' })
    await reconcile()
    await reconcile()
    expect(await row(payment)).toMatchObject({ state: 'failed', hold })
    expect(await available(account)).toBe(left)
  }
})

test('a lagging node does not make a settled payment unknown', async () => {
  const account = await money.account()
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  money.chain.reorganize(payment)
  await reconcile()
  expect((await row(payment)).state).toBe('settled')
})

test('keeps a settled payment and its events while the node lacks the block it was found in', async () => {
  money.chain.final = false
  const account = await money.account()
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  await reconcile()
  const located = await row(payment)
  money.chain.lags = true
  await reconcile()
  const { state, block_hash, final_at } = await row(payment)
  expect({ state, block_hash, final_at }).toEqual({
    state: 'settled',
    block_hash: located.block_hash,
    final_at: null,
  })
  expect(await toEvents(payment)).toEqual(['settled'])
  money.chain.lags = false
  money.chain.final = true
  await reconcile()
  expect(await row(payment)).toMatchObject({ state: 'settled', final_at: expect.any(Date) })
  expect(await toEvents(payment)).toEqual(['settled'])
})

test('checks each settlement once in concurrent reconciliations', async () => {
  const payments = await Promise.all(Array.from({ length: 40 }, () => unknown(settlesSilently)))
  await letTimePass(money.db)
  const results = await Promise.all([1, 2, 3, 4].map(() => money.another().reconcile()))
  expect(results.reduce((sum, { settled }) => sum + settled, 0)).toBe(40)
  for (const { payment, account } of payments) {
    expect((await row(payment)).state).toBe('settled')
    expect(await available(account)).toBe(1n)
  }
})

test('compares settled payments of one block with one read of the block and one of the final block', async () => {
  money.chain.final = false
  const account = await money.account()
  const first = somePayment()
  await money.engine.settle(first, money.by(account))
  money.chain.sharesBlock = true
  const payments = [first, ...Array.from({ length: 39 }, () => somePayment())]
  await Promise.all(payments.slice(1).map((payment) => money.engine.settle(payment, money.by(account))))
  money.chain.sharesBlock = false
  await reconcile()
  const blockNumbers = await Promise.all(payments.map(async (payment) => (await row(payment)).block_number))
  expect(new Set(blockNumbers).size).toBe(1)

  money.chain.final = true
  const { blockReads, finalBlockReads } = money.chain
  money.chain.inspected.length = 0
  expect(await reconcile()).toMatchObject({ located: expect.any(Number), lost: 0 })
  const own = new Set(payments.map(({ nonce }) => nonce))
  expect(money.chain.inspected.filter((nonce) => own.has(nonce))).toEqual([])
  const { rows } = await sql<{ blocks: number; open: number }>`
    select count(distinct block_number)::integer as blocks, count(*) filter (where final_at is null)::integer as open
    from facilitator.settlements where account_id = ${account.id}`.execute(money.db)
  expect(rows).toEqual([{ blocks: 1, open: 0 }])
  expect(money.chain.finalBlockReads - finalBlockReads).toBe(1)
  // Settlements of other tests may be located in blocks of their own.
  expect(money.chain.blockReads - blockReads).toBeLessThan(20)
})

test('checks unknown settlements before any number of settled ones', async () => {
  money.chain.final = false
  const account = await money.account()
  const settled = Array.from({ length: 40 }, () => somePayment())
  await Promise.all(settled.map((payment) => money.engine.settle(payment, money.by(account))))
  await reconcile()
  const { payment } = await unknown(settlesSilently)
  await letTimePass(money.db)
  // The settled ones are overdue for longer, and one claim would not contain them all.
  await money.db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(1) })
    .where('nonce', '=', payment.nonce)
    .execute()
  const claims: string[] = []
  const engine = money.another({
    faultPoint: async (point) => {
      if (point === 'reconcile-claimed') claims.push((await row(payment)).attempt)
    },
  })
  const before = (await row(payment)).attempt
  await engine.reconcile()
  expect(claims[0]).not.toBe(before)
})

test('payments of a chain whose nodes do not respond do not delay those of another chain', async () => {
  const silent = 'eip155:1'
  const never = () => new Promise<never>(() => {})
  const { chain } = money
  const chainReader: ChainReader = {
    networks: new Set([network, silent]),
    readable: (name) => name === network || name === silent,
    inspect: (payment) => (payment.network === silent ? never() : chain.inspect(payment)),
    compareWithFinal: (name, blocks) => (name === silent ? never() : chain.compareWithFinal(name, blocks)),
  }
  const engine = money.another({ chainReader })
  const account = await money.account()
  money.upstream.behavior = losesTheCall
  // As many as two claims.
  const waiting = Array.from({ length: 32 }, () => somePayment({ network: silent, wireNetwork: silent }))
  await Promise.all(waiting.map((payment) => engine.settle(payment, money.by(account))))
  money.upstream.behavior = settlesSilently
  const payment = somePayment()
  await engine.settle(payment, money.by(account))
  await letTimePass(money.db)
  await money.db
    .updateTable('facilitator.settlements')
    .set({ lease_until: new Date(1) })
    .where('nonce', '=', payment.nonce)
    .execute()
  engine.reconcile().catch(() => {})
  await expect.poll(async () => (await row(payment)).state).toBe('settled')
})

test('a settled payment whose block was replaced is read again, and located in its new block', async () => {
  money.chain.final = false
  const account = await money.account()
  const payment = somePayment()
  await money.engine.settle(payment, money.by(account))
  await reconcile()
  const before = await row(payment)
  money.chain.reorganize(payment)
  const transaction = money.chain.execute(payment)
  await reconcile()
  const after = await row(payment)
  expect(after).toMatchObject({ state: 'settled', transaction })
  expect(after.block_number).not.toBe(before.block_number)
  expect(await toEvents(payment)).toEqual(['settled'])
})
