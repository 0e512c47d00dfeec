import { type Contract, contracts } from '@mintmark/contracts'
import { markForkPoint } from '@mintmark/devkit/chain/reorganize'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createListing } from '../testing/create-listing.ts'
import { listTypes, type RecordedEvent, recordEvents } from '../testing/event-cases/event-recorder.ts'
import { type IndexedMarket, indexedMarket } from '../testing/indexed-market-fixture.ts'
import { deployCollectible } from '../testing/indexer-fixture.ts'
import { sampleProject } from '../testing/samples/calls.ts'
import type { SampleProject } from '../testing/samples/sample.ts'

let market: IndexedMarket
let other: SampleProject
beforeAll(async () => {
  market = await indexedMarket(2, 'fake')
  other = await sampleProject(market.gateway, 'other')
})
afterAll(() => market?.close())

async function register({ client }: SampleProject, nftAddress: string, index = true): Promise<Contract> {
  const chainId = String(market.chain.chainId)
  return await contracts.add(client, { nftAddress, nftType: 'ERC721', chainId, name: 'T', index })
}

/** Runs the indexer and returns the events of a project. */
const index = (project = market.project): Promise<RecordedEvent[]> =>
  recordEvents(market.gateway, project.projectId, () => market.indexer.run())

const summarize = (events: readonly RecordedEvent[]) =>
  events.map(({ type, data }) => {
    const { nftId, to } = data as { nftId: string; to: string }
    return `${type} ${nftId} to ${to}`
  })

const walletOf = async (account: number) => {
  const [address] = await market.chain.as(account).getAddresses()
  if (address === undefined) throw new Error('The account has no address')
  return { address, lowerCase: address.toLowerCase() }
}

it('reports each transfer of an indexed contract to every project that registered it, and undone ones', async () => {
  const token = await deployCollectible(market.chain)
  const [first, second] = [await walletOf(1), await walletOf(2)]
  await register(market.project, token.address)
  await register(other, token.address)
  await register(await sampleProject(market.gateway, 'unindexed'), token.address, false)
  await token.call(0, 'mint', [first.address, 7n])
  const minted = await index()
  expect(summarize(minted)).toEqual([`transfer.recorded 7 to ${first.lowerCase}`])
  const { rows } = await sql<{ project: number }>`
    select project_id as project from gateway.events where type = 'transfer.recorded' order by project_id`.execute(
    market.gateway.owner.system,
  )
  expect(rows.map(({ project }) => project)).toEqual([market.project.projectId, other.projectId])

  const fork = await markForkPoint(market.chain.client)
  await token.call(1, 'transferFrom', [first.address, second.address, 7n])
  const [moved] = await index()
  expect(moved).toMatchObject({
    type: 'transfer.recorded',
    data: { from: first.lowerCase, to: second.lowerCase },
  })
  await fork.replaceBlocks(5)
  const undone = await index()
  expect(undone).toMatchObject([{ type: 'transfer.reverted', subject: moved?.subject, data: moved?.data }])
  await token.call(1, 'transferFrom', [first.address, second.address, 7n])
  expect(summarize(await index())).toEqual([`transfer.recorded 7 to ${second.lowerCase}`])
  expect(await index()).toEqual([])
})

it('reports no transfer from before the registration of its contract', async () => {
  const token = await deployCollectible(market.chain)
  const { address, lowerCase } = await walletOf(1)
  await token.call(0, 'mint', [address, 1n])
  const { id } = await register(market.project, token.address)
  // The block of the first mint is older than the registration by more than the tolerated difference of
  // clocks.
  await market.gateway.owner.system
    .updateTable('gateway.contracts')
    .set({ created_at: sql<Date>`clock_timestamp() + interval '10 minutes'` })
    .where('id', '=', id)
    .execute()
  expect(summarize((await index()).filter(({ type }) => type.startsWith('transfer.')))).toEqual([])
  const { timestamp } = await market.chain.client.getBlock()
  await market.chain.client.setNextBlockTimestamp({ timestamp: timestamp + 1200n })
  await token.call(0, 'mint', [address, 2n])
  expect(summarize(await index())).toEqual([`transfer.recorded 2 to ${lowerCase}`])
})

it('reports what transfers do to sales: an unbacked listing, its end and the cancelled order', async () => {
  const token = await deployCollectible(market.chain)
  const [seller, buyer] = [await walletOf(1), await walletOf(2)]
  await register(market.project, token.address)
  await token.call(0, 'mint', [seller.address, 7n])
  await index()
  const sale = { seller: seller.lowerCase, nftAddress: token.lowerCase, nftId: '7', quantity: 1 }
  const listing = await createListing(market.project, sale)
  await market.orderFixture.order(listing)
  await token.call(1, 'transferFrom', [seller.address, buyer.address, 7n])
  // The transfer is not final: the listing is inactive and can be active again.
  expect(listTypes(await index())).toEqual(['listing.updated', 'transfer.recorded'])
  await market.chain.client.mine({ blocks: 5 })
  const ended = listTypes(await index())
  expect(ended).toContain('listing.closed')
  expect(ended).toContain('order.cancelled')
})
