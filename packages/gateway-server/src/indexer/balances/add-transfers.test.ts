import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../../database/tables.ts'
import { domainOperations } from '../../main/composition.ts'
import { countRowsRead } from '../../testing/count-rows-read.ts'
import { type TestGateway, testGateway } from '../../testing/gateway.ts'
import type { BlockRange } from '../blocks/read-range.ts'
import { listShortfalls } from '../collateral/collateral-store.ts'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'
import { BalanceSums } from './balance-changes.ts'
import { addTransfers, removeTransfersAfter } from './balances-store.ts'

const CHAIN = '84532'
const ZERO = `0x${'0'.repeat(40)}`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway?.close())

const transfer = (nftAddress: string, fields: Partial<TokenTransfer>): TokenTransfer => ({
  block: 5,
  hash: '0xt',
  logIndex: 0,
  batchIndex: 0,
  nftAddress,
  nftId: '1',
  from: ZERO,
  to: '0xann',
  quantity: 1n,
  ...fields,
})

/** A range that begins with the block of its first transfer. */
const createRange = (transfers: readonly TokenTransfer[]): BlockRange => {
  const from = transfers[0]?.block ?? 0
  return { from, to: from + 9, transfers, headers: [], times: new Map([[from, 1_000]]) }
}

const add = (range: BlockRange) =>
  transaction(gateway.owner.system, (trx) => addTransfers(trx, domainOperations, CHAIN, range))

async function readStored(nftAddress: string) {
  const { system } = gateway.owner
  const transfers = await system
    .selectFrom('gateway.chain_transfers')
    .select(['log_index', 'batch_index'])
    .where('nft_address', '=', nftAddress)
    .orderBy('id')
    .execute()
  const balances = await system
    .selectFrom('gateway.chain_balances')
    .select(['nft_id', 'owner', 'quantity'])
    .where('nft_address', '=', nftAddress)
    .where('quantity', '<>', '0')
    .execute()
  return {
    transfers: transfers.map((row) => `${row.log_index}/${row.batch_index}`),
    balances: Object.fromEntries(balances.map((row) => [`${row.nft_id} ${row.owner}`, row.quantity])),
  }
}

const trade = (nftAddress: string, block: number) =>
  [
    transfer(nftAddress, { quantity: 5n }),
    transfer(nftAddress, { logIndex: 1, from: '0xann', to: '0xben', quantity: 2n }),
    transfer(nftAddress, { logIndex: 2, batchIndex: 0, nftId: '2', to: '0xben' }),
    transfer(nftAddress, { logIndex: 2, batchIndex: 1, nftId: '2', from: '0xben' }),
  ].map((each) => ({ ...each, block }))
const TRADED = {
  transfers: ['0/0', '1/0', '2/0', '2/1'],
  balances: { '1 0xann': '3', '1 0xben': '2', '2 0xann': '1' },
}

it('counts the transfers of a range once when the range is written again', async () => {
  const range = createRange(trade('0xrepeated', 10))
  await add(range)
  expect(await readStored('0xrepeated')).toEqual(TRADED)
  await add(range)
  expect(await readStored('0xrepeated')).toEqual(TRADED)
})

it('counts a transfer once that the node returned twice', async () => {
  await add(createRange([...trade('0xdoubled', 20), ...trade('0xdoubled', 20)]))
  expect(await readStored('0xdoubled')).toEqual(TRADED)
})

it('keeps the first of two contracts that a node names for the same log', async () => {
  await add(createRange(trade('0xfirst', 40)))
  await add(createRange(trade('0xsecond', 40)))
  expect(await readStored('0xfirst')).toEqual(TRADED)
  expect(await readStored('0xsecond')).toEqual({ transfers: [], balances: {} })
})

it('counts the new transfers of a range of which others are stored', async () => {
  const [first, ...others] = trade('0xpartly', 30)
  if (first === undefined) throw new Error('There is a trade')
  await add(createRange([first]))
  await add(createRange([first, ...others]))
  expect(await readStored('0xpartly')).toEqual(TRADED)
})

it('counts any number of transfers of a range once', async () => {
  const mints = Array.from({ length: 21_000 }, (_, logIndex) =>
    transfer('0xmany', { block: 60, logIndex, to: logIndex % 3 === 0 ? '0xann' : '0xben', quantity: 2n }),
  )
  const range = createRange(mints)
  for (const _ of ['new', 'again']) {
    await add(range)
    const { transfers, balances } = await readStored('0xmany')
    expect(transfers).toEqual(mints.map(({ logIndex }) => `${logIndex}/0`))
    expect(balances).toEqual({ '1 0xann': '14000', '1 0xben': '28000' })
  }
})

it('reverts exactly the transfers after a block', async () => {
  await add(createRange(trade('0xreverted', 1_000)))
  await add(createRange([transfer('0xreverted', { block: 1_011, from: '0xann', to: '0xcat', quantity: 3n })]))
  expect((await readStored('0xreverted')).balances).toMatchObject({ '1 0xcat': '3' })
  await transaction(gateway.owner.system, (trx) => removeTransfersAfter(trx, domainOperations, CHAIN, 1_010))
  expect(await readStored('0xreverted')).toEqual(TRADED)
})

describe('a collection of 10,000 tokens', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => String(index))
  beforeAll(async () => {
    const { system } = gateway.owner
    const { rows } = await sql<{ id: number }>`
      insert into gateway.projects (name) values ('collector') returning id`.execute(system)
    await sql`
      insert into gateway.contracts (project_id, chain_id, nft_address, name, nft_type, indexed, assets_written)
      values (${rows[0]?.id}, ${CHAIN}, '0xowned', 'Prints', 'ERC721', true, true)`.execute(system)
    await add(
      createRange(ids.map((nftId, logIndex) => transfer('0xowned', { block: 2_000, nftId, logIndex }))),
    )
  })

  /** Counts the rows of assets and balances that work reads. */
  const countRead = (work: (trx: Db) => Promise<unknown>) =>
    countRowsRead(gateway, ['assets', 'chain_balances'], work)

  it('a collection of 10,000 tokens is not read as a whole for transfers of some of them, without statistics', async () => {
    const moved = ids
      .slice(0, 1_000)
      .map((nftId, logIndex) =>
        transfer('0xowned', { block: 2_010, nftId, logIndex, from: '0xann', to: '0xben' }),
      )
    const count = await countRead((trx) => addTransfers(trx, domainOperations, CHAIN, createRange(moved)))
    expect(count).toBeLessThan(5_000)
  })

  it.each(['without', 'with'])(
    'a collection of 10,000 tokens is not read for a list of shortfalls, %s statistics',
    async (statistics) => {
      const { system } = gateway.owner
      await sql`
      insert into gateway.chain_cursors (chain_id, next_block, holder, lease_until) values (${CHAIN}, 3_000, '', now())
      on conflict do nothing`.execute(system)
      await sql`
      insert into gateway.indexed_contracts (chain_id, nft_address, next_block) values (${CHAIN}, '0xowned', 3_000)
      on conflict do nothing`.execute(system)
      if (statistics === 'with') await sql`analyze gateway.assets, gateway.chain_balances`.execute(system)
      expect(await countRead((trx) => listShortfalls(trx, CHAIN))).toBe(0)
    },
  )
})

it('sums the changes of each owner, without those that cancel out', () => {
  const sums = new BalanceSums()
  sums.add([
    transfer('0xa', { quantity: 2n ** 256n - 1n }),
    transfer('0xa', { from: '0xann', to: '0xben' }),
    transfer('0xa', { from: '0xben', to: '0xcat' }),
    transfer('0xa', { from: '0xcat', to: ZERO }),
    transfer('0xa', { from: '0xdan', to: '0xdan' }),
  ])
  expect(sums.listChanges()).toEqual([
    { nftAddress: '0xa', nftId: '1', owner: '0xann', quantity: 2n ** 256n - 2n },
  ])
})
