import { lazyMinting, type MintSignature } from '@mintmark/contracts'
import { isMintmarkError } from '@mintmark/envelope'
import { productCards } from '@mintmark/market'
import { type Order, OrderStatus, orders } from '@mintmark/orders'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInventory } from '../../../main/composition.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { expectMintInvariants } from '../../../testing/mint-invariants.ts'
import { createOrderFixture, newHash, type OrderFixture } from '../../../testing/order-fixture.ts'
import {
  addFinalMint,
  addFinalPayment,
  createLazyPresale,
  createProductPresale,
  expireSignatures,
  orderMint,
  runMintWatcher,
  type TestPresale,
} from '../../../testing/presales.ts'
import { sampleProject } from '../../../testing/samples/calls.ts'
import { newAddress, type SampleProject } from '../../../testing/samples/sample.ts'
import { resolveOrder } from '../../orders/verification/operator.ts'

let gateway: TestGateway
let project: SampleProject
let orderFixture: OrderFixture
beforeAll(async () => {
  gateway = await testGateway({ orderSettings: { openOrders: 3 } })
  project = await sampleProject(gateway, 'drops')
  orderFixture = createOrderFixture(project)
})
afterAll(() => gateway.close())

/** What can happen; numbers choose among what there is by then. */
type Action =
  | { do: 'order'; what: 'nft' | 'own' | 'product'; buyer: number; nft: number; quantity: number }
  | { do: 'draw'; buyer: number }
  | { do: 'cancel' | 'outwait' | 'pay' | 'revert' | 'reorganize' | 'sign' | 'mint'; order: number }
  | { do: 'resolve'; order: number; well: boolean }
  | { do: 'signSame'; what: 'nft' | 'own' | 'product'; buyer: number; nft: number }
  | { do: 'expire' | 'watch' | 'verify' | 'outwaitDraws' }

const buyer = fc.nat(2)
const what = fc.constantFrom('nft', 'own', 'product')
const order = fc.nat({ max: 20 })
const quantity = fc.integer({ min: 1, max: 2 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('order'), what, buyer, nft: fc.nat(2), quantity }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('draw'), buyer }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay'), order }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('sign'), order }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel', 'outwait', 'revert', 'reorganize', 'mint'),
      order,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resolve'), order, well: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('signSame'), what, buyer, nft: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('expire', 'watch', 'verify', 'verify', 'outwaitDraws') }),
  },
)

interface World {
  readonly lazy: TestPresale
  readonly product: TestPresale & { nftId: string }
  readonly nfts: readonly string[]
  readonly buyers: readonly string[]
  readonly placed: Order[]
  readonly signed: MintSignature[]
}

async function begin(): Promise<World> {
  gateway.chain.blockHashes.clear()
  const lazy = await createLazyPresale(project.client, { maxClaimable: 5, limitPerWallet: 3 })
  const product = await createProductPresale(project.client, { limited: 3 })
  const nfts = []
  for (const name of ['Red', 'Blue', 'Green']) {
    const input = { nftAddress: lazy.nftAddress, name, tokenUri: `ipfs://${name}` }
    nfts.push((await lazyMinting.addNft(project.client, input)).nftId)
  }
  return { lazy, product, nfts, buyers: Array.from({ length: 3 }, newAddress), placed: [], signed: [] }
}

/** What a call wants to mint, in the fields of the call. */
function fieldsOf({ nfts, lazy, product }: World, what: 'nft' | 'own' | 'product', nft: number) {
  if (what === 'product') return { presale: product, nftId: product.nftId }
  return { presale: lazy, ...(what === 'nft' && { nftId: nfts[nft] ?? '' }) }
}

const signOf = (marketType: number) => (marketType === 8 ? productCards : lazyMinting).mintSign

async function perform(world: World, step: Action): Promise<void> {
  const recipient = 'buyer' in step ? (world.buyers[step.buyer] ?? '') : ''
  const chosen = 'order' in step ? await choose(world, step) : undefined
  switch (step.do) {
    case 'order': {
      const { presale, ...fields } = fieldsOf(world, step.what, step.nft)
      const quantity = step.what === 'nft' ? 1 : step.quantity
      world.placed.push(await orderMint(project.client, presale, { ...fields, quantity, recipient }))
      return
    }
    case 'draw':
      await lazyMinting.randomNft(project.client, { nftAddress: world.lazy.nftAddress, recipient })
      return
    case 'signSame': {
      const { presale, ...fields } = fieldsOf(world, step.what, step.nft)
      const input = { nftAddress: presale.nftAddress, recipient, ...fields }
      world.signed.push(await signOf(presale.marketType)(project.client, input))
      return
    }
    case 'expire':
      return expireSignatures(gateway)
    case 'watch':
      return await runMintWatcher(gateway)
    case 'verify':
      return await orderFixture.verify()
    case 'outwaitDraws':
      return await outwaitDraws()
    default:
      if (chosen !== undefined) await performOn(world, chosen, step)
  }
}

/** What only an order in one state knows happens to one of these. */
const STATES: Partial<Record<Action['do'], number>> = {
  reorganize: OrderStatus.SUCCESS,
  resolve: OrderStatus.UNRESOLVED,
}

async function choose({ placed }: World, step: Extract<Action, { order: number }>) {
  const state = STATES[step.do]
  const numbers = placed.map(({ orderNo }) => orderNo)
  if (state === undefined) return placed[step.order % Math.max(1, numbers.length)]
  const rows = await gateway.owner.system
    .selectFrom('gateway.orders')
    .select('order_no')
    .where('status', '=', state)
    .where('order_no', 'in', [...numbers, ''])
    .orderBy('id')
    .execute()
  const chosen = rows[step.order % Math.max(1, rows.length)]?.order_no
  return placed.find(({ orderNo }) => orderNo === chosen)
}

async function performOn(
  world: World,
  chosen: Order,
  step: Extract<Action, { order: number }>,
): Promise<void> {
  const { orderNo, recipient, nftAddress, marketType } = chosen
  switch (step.do) {
    case 'cancel':
      await orders.cancel(project.client, { orderNo })
      return
    case 'outwait':
      if ((await orderFixture.readState(chosen)).status === 'PRE') await orderFixture.expire(chosen)
      return
    case 'pay': {
      const hash = newHash()
      addFinalPayment(gateway, hash)
      return await orderFixture.pay(chosen, hash)
    }
    case 'revert': {
      const [hash, block] = [newHash(), gateway.chain.block]
      const blockHash = newHash()
      gateway.chain.sightings.set(hash, { kind: 'mined', block, blockHash, final: true, outcome: 'reverted' })
      return await orderFixture.pay(chosen, hash)
    }
    case 'reorganize': {
      const { hash, paidBlock } = await orders.get(project.client, { orderNo })
      if (paidBlock === 0) return
      gateway.chain.sightings.set(hash, { kind: 'unseen' })
      gateway.chain.blockHashes.set(paidBlock, newHash())
      return
    }
    case 'sign':
      world.signed.push(await signOf(marketType)(project.client, { nftAddress, recipient, orderNo }))
      return
    case 'mint': {
      const signature = world.signed.at(step.order % Math.max(1, world.signed.length))
      // A contract takes no signature past its end.
      if (signature === undefined || Date.parse(signature.validUntil) / 1000 < gateway.mintChain.time) return
      addFinalMint(gateway, signature.uid, String(gateway.mintChain.block))
      return
    }
    case 'resolve': {
      const event = step.well ? 'resolved_success' : 'resolved_failed'
      const decision = { orderNo, event, actor: 'op', reason: 'a test' } as const
      await resolveOrder(gateway.owner.system, findInventory, decision).catch(() => {})
    }
  }
}

async function outwaitDraws(): Promise<void> {
  const past = sql<Date>`clock_timestamp() - interval '1 second'`
  await gateway.owner.system
    .updateTable('gateway.mint_reservations')
    .set({ expires_at: past })
    .where('status', '=', 'RESERVED')
    .execute()
  await gateway.owner.system
    .updateTable('gateway.mintable_nfts')
    .set({ reserved_until: past })
    .where('reserved_until', 'is not', null)
    .execute()
}

/** Refusals are part of the game; anything else is not. */
async function tryTo(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isMintmarkError(error) || (error.status ?? 500) >= 500) throw error
  })
}

/**
 * Sequences that random generation may miss: signed again after a signature expired, and released after it
 * was sold.
 */
const first = { do: 'order', what: 'own', nft: 0, quantity: 1, buyer: 0 } as const
const paid = [{ do: 'pay', order: 0 }, { do: 'verify' }] as const
const certain: Action[][] = [
  [first, ...paid, { do: 'sign', order: 0 }, { do: 'expire' }, { do: 'watch' }, { do: 'sign', order: 0 }],
  [
    first,
    ...paid,
    { do: 'reorganize', order: 0 },
    { do: 'verify' },
    { do: 'resolve', order: 0, well: false },
  ],
  [first, ...paid, { do: 'sign', order: 0 }, { do: 'mint', order: 0 }, { do: 'watch' }],
  [first, { do: 'cancel', order: 0 }, first, { do: 'outwait', order: 1 }, { do: 'verify' }],
]

const runs = Number(process.env.PROPERTY_RUNS ?? 3)

it('counts, stock, payments and signatures hold under any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 50 }), async (steps) => {
      const world = await begin()
      for (const step of steps) {
        await tryTo(perform(world, step))
        if (step.do === 'verify' || step.do === 'watch') await expectMintInvariants(gateway)
      }
      await expectMintInvariants(gateway)
    }),
    {
      numRuns: runs + certain.length,
      seed: 20260117,
      examples: certain.map((steps) => [steps] as [Action[]]),
    },
  )
})

it('counts, stock, payments and signatures hold under concurrent events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 3, maxLength: 8 }), { minLength: 4, maxLength: 8 }),
      async (rounds) => {
        const world = await begin()
        for (const steps of rounds) await Promise.all(steps.map((step) => tryTo(perform(world, step))))
        await expectMintInvariants(gateway)
      },
    ),
    { numRuns: runs, seed: 20260118 },
  )
})

it('the generated sequences have reached every status of orders and signatures', async () => {
  const found = async (column: ReturnType<typeof sql>, from: ReturnType<typeof sql>) =>
    (
      await sql<{ value: unknown }>`select distinct ${column} as value ${from} order by 1`.execute(
        gateway.owner.system,
      )
    ).rows.map(({ value }) => value)
  expect(await found(sql`to_status`, sql`from gateway.order_events`)).toEqual(
    Object.values(OrderStatus).filter((status) => status !== OrderStatus.PRE),
  )
  expect(
    await found(sql`status`, sql`from gateway.mint_reservations where order_id is not null and uid <> ''`),
  ).toEqual(expect.arrayContaining(['MINTED', 'RELEASED']))
  // Signed again after a signature had expired, and released after it was sold.
  expect(
    await found(
      sql`count(*) > 1`,
      sql`from gateway.mint_reservations where uid <> '' and order_id is not null group by order_id`,
    ),
  ).toContain(true)
  expect(
    await found(
      sql`order_id`,
      sql`from gateway.order_events e where to_status = ${OrderStatus.FAILED} and event = 'resolved_failed'`,
    ),
  ).not.toEqual([])
})

it('of a hundred concurrent orders exactly ten get one of ten units, and no wallet exceeds its limit', async () => {
  const presale = await createLazyPresale(project.client, { maxClaimable: 10, limitPerWallet: 2 })
  const wallets = Array.from({ length: 25 }, newAddress)
  const calls = wallets.flatMap((recipient) =>
    Array.from({ length: 4 }, () => orderMint(project.client, presale, { recipient })),
  )
  const done = await Promise.allSettled(calls)
  const placed = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value.recipient] : []))
  expect(placed).toHaveLength(10)
  for (const wallet of wallets) expect(placed.filter((each) => each === wallet).length).toBeLessThanOrEqual(2)
  const codes = done.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
  expect(codes.filter((code) => code !== 40907 && code !== 40952)).toEqual([])
  await expectMintInvariants(gateway)
})
