import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCardClient } from '../../../testing/cards.ts'
import { type TestGateway, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
})
afterAll(() => gateway.close())

let addresses = 0
function anAddress(): string {
  addresses += 1
  return `0x${addresses.toString(16).padStart(40, 'c')}`
}

async function register(nftAddress: string, owner: string): Promise<void> {
  await gateway.owner.system
    .insertInto('gateway.contracts')
    .values({
      project_id: gateway.key.projectId,
      chain_id: '84532',
      nft_address: nftAddress,
      name: 'Prints',
      nft_type: 'ERC721',
      owner,
    })
    .execute()
}

/** Says who holds how many of a token, as a sale or the chain would. */
async function give(nftAddress: string, nftId: string, owner: string, quantity: number): Promise<void> {
  await gateway.owner.system
    .insertInto('gateway.assets')
    .values({
      project_id: gateway.key.projectId,
      chain_id: '84532',
      nft_address: nftAddress,
      nft_id: nftId,
      nft_type: 'ERC721',
      owner,
      quantity: String(quantity),
    })
    .onConflict((conflict) => conflict.constraint('assets_owner').doUpdateSet({ quantity: String(quantity) }))
    .execute()
}

const idsIn = async (path: string, query: Record<string, string>) => {
  const { status, text, json } = await calls.get('promoCodeCards', path, { orderBy: 'id', ...query })
  expect(status, text).toBe(200)
  const list = json.data.list as { id: number }[]
  expect(json.data.totalRow).toBe(list.length)
  return list.map(({ id }) => id)
}

describe('the cards of an owner', () => {
  const owned = (owner: string) => idsIn('/getPageListByOwner', { owner })

  it('the cards of an owner belong to the creator until the token has a known holder', async () => {
    const [nftAddress, creator, buyer] = [anAddress(), anAddress(), anAddress()]
    await register(nftAddress, creator)
    const [seven, eight, none] = await Promise.all(
      ['7', '8', ''].map((nftId) => calls.create('promoCodeCards', { nftAddress, nftId })),
    )
    const all = [seven?.id, eight?.id, none?.id].sort()
    expect(await owned(creator.toUpperCase().replace('0X', '0x'))).toEqual(all)
    expect(await owned(buyer)).toEqual([])
    await give(nftAddress, '7', buyer, 1)
    expect(await owned(buyer)).toEqual([seven?.id])
    expect(await owned(creator)).toEqual([eight?.id, none?.id].sort())
    // A creator that holds the token as well has its card once.
    await give(nftAddress, '8', creator, 1)
    expect(await owned(creator)).toEqual([eight?.id, none?.id].sort())
    // The token was sold, so the row has quantity 0 and no owner.
    await give(nftAddress, '7', buyer, 0)
    await give(nftAddress, '7', anAddress(), 1)
    expect(await owned(buyer)).toEqual([])
    expect(await owned(creator)).not.toContain(seven?.id)
  })

  it('the cards of an owner are on the same pages whether the wallet holds their tokens or created them', async () => {
    const [bought, created, owner] = [anAddress(), anAddress(), anAddress()]
    const other = anAddress()
    await register(bought, other)
    await register(created, owner)
    for (const number of [5, 1, 4, 2, 3, 6, 7]) {
      const nftAddress = number % 2 === 0 ? bought : created
      const card = { nftAddress, nftId: String(number), name: `Card ${number % 3}` }
      await calls.create('promoCodeCards', card)
      if (number % 2 === 0) await give(nftAddress, String(number), owner, 1)
    }
    const page = async (query: Record<string, string>) => {
      const path = '/getPageListByOwner'
      const { json } = await calls.get('promoCodeCards', path, { owner, pageSize: '2', ...query })
      return json.data as { list: { id: number }[]; totalRow: number; paras: { next?: string } }
    }
    for (const orderBy of ['id', 'id desc', 'name', 'name desc']) {
      const all = await idsIn('/getPageListByOwner', { owner, orderBy })
      expect(all).toHaveLength(7)
      const jumps: number[] = []
      for (const pageNumber of ['1', '2', '3', '4']) {
        jumps.push(...(await page({ orderBy, pageNumber })).list.map(({ id }) => id))
      }
      expect(jumps, orderBy).toEqual(all)
      const continued: number[] = []
      let next: string | undefined
      do {
        const { list, paras } = await page({
          orderBy,
          pageNumber: String(1 + continued.length / 2),
          ...(next && { cursor: next }),
        })
        continued.push(...list.map(({ id }) => id))
        next = paras.next
      } while (next !== undefined)
      expect(continued, orderBy).toEqual(all)
    }
  })

  it('the cards of an owner exclude removed cards', async () => {
    const [nftAddress, creator] = [anAddress(), anAddress()]
    await register(nftAddress, creator)
    const { id } = await calls.create('promoCodeCards', { nftAddress })
    await calls.remove('promoCodeCards', id)
    expect(await owned(creator)).toEqual([])
  })
})

it('the cards of a contract are all cards of the contract or of one token, of one program only', async () => {
  const nftAddress = anAddress()
  const first = await calls.create('promoCodeCards', { nftAddress, nftId: '1' })
  const second = await calls.create('promoCodeCards', { nftAddress, nftId: '2' })
  await calls.create('eventCards', { nftAddress, nftId: '1' })
  expect(
    await idsIn('/getPageListByNft', { nftAddress: nftAddress.toUpperCase().replace('0X', '0x') }),
  ).toEqual([first.id, second.id])
  expect(await idsIn('/getPageListByNft', { nftAddress })).toEqual([first.id, second.id])
  expect(await idsIn('/getPageListByNft', { nftAddress, nftId: '2' })).toEqual([second.id])
})

it('the cards of a store are those that name the store and those that name no store', async () => {
  const here = await calls.create('promoCodeCards', { applicableStores: ['A "corner" shop', 'Elsewhere'] })
  const there = await calls.create('promoCodeCards', { applicableStores: ['Elsewhere'] })
  const anywhere = await calls.create('promoCodeCards', { applicableStores: [] })
  const ids = await idsIn('/getPageListByStore', { store: 'A "corner" shop', pageSize: '100' })
  expect(ids).toEqual(expect.arrayContaining([here.id, anywhere.id]))
  expect(ids).not.toContain(there.id)
})

describe('searching cards', () => {
  const found = (query: Record<string, string>) => idsIn('/search', { pageSize: '100', ...query })

  it('searching cards finds a part of a name and treats pattern characters literally', async () => {
    const percent = await calls.create('promoCodeCards', { name: 'Save 50% on_Monday \\ now' })
    const other = await calls.create('promoCodeCards', { name: 'Save 500 on Monday' })
    expect(await found({ keyword: 'SAVE 50' })).toEqual([percent.id, other.id])
    expect(await found({ keyword: '50%' })).toEqual([percent.id])
    expect(await found({ keyword: 'on_m' })).toEqual([percent.id])
    expect(await found({ keyword: '\\ n' })).toEqual([percent.id])
    expect(await found({ keyword: 'nothing is called so' })).toEqual([])
  })

  it('searching cards filters by status', async () => {
    const name = `status ${anAddress()}`
    const past = { startTime: '2020-01-01T00:00:00Z', endTime: '2020-02-01T00:00:00Z' }
    const future = { startTime: '2098-01-01T00:00:00Z' }
    const cards = {
      ACTIVE: await calls.create('promoCodeCards', { name }),
      EXPIRED: await calls.create('promoCodeCards', { name, ...past }),
      NOT_YET_VALID: await calls.create('promoCodeCards', { name, ...future }),
      EXHAUSTED: await calls.create('promoCodeCards', { name, totalIssued: 1 }),
      REMOVED: await calls.create('promoCodeCards', { name }),
    }
    await calls.verify('promoCodeCards', { id: cards.EXHAUSTED.id })
    await calls.remove('promoCodeCards', cards.REMOVED.id)
    for (const [status, { id }] of Object.entries(cards)) {
      expect(await found({ keyword: name, status }), status).toEqual([id])
    }
    expect(await found({ keyword: name })).toHaveLength(4)
  })

  it('searching cards filters by creation time, including the start and excluding the end', async () => {
    const name = `created ${anAddress()}`
    const [first, second] = [
      await calls.create('promoCodeCards', { name }),
      await calls.create('promoCodeCards', { name }),
    ]
    await calls.alter(first.id, { created_at: new Date('2026-03-01T00:00:00Z') })
    await calls.alter(second.id, { created_at: new Date('2026-03-02T00:00:00Z') })
    const keyword = name
    expect(await found({ keyword, from: '2026-03-01T00:00:00Z' })).toEqual([first.id, second.id])
    expect(await found({ keyword, from: '2026-03-01T00:00:00.001Z' })).toEqual([second.id])
    expect(await found({ keyword, to: '2026-03-02T00:00:00Z' })).toEqual([first.id])
    expect(await found({ keyword, from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' })).toEqual([])
  })
})

it('a list of cards has the requested order on each page and breaks ties by id', async () => {
  const nftAddress = anAddress()
  const names = ['b', 'a', 'b', 'c', 'a']
  const made: { id: number; name: string }[] = []
  for (const name of names)
    made.push({ name, id: (await calls.create('eventCards', { nftAddress, name })).id })
  const sorted = (sign: 1 | -1) =>
    made.toSorted((a, b) => sign * (a.name.localeCompare(b.name) || a.id - b.id)).map(({ id }) => id)
  for (const [orderBy, expected] of [
    ['name', sorted(1)],
    ['name desc', sorted(-1)],
    ['', made.map(({ id }) => id).toReversed()],
  ] as const) {
    const seen: number[] = []
    for (const pageNumber of ['1', '2', '3']) {
      const { data } = (
        await calls.get('eventCards', '/getPageListByNft', {
          nftAddress,
          orderBy,
          pageNumber,
          pageSize: '2',
        })
      ).json
      seen.push(...(data.list as { id: number }[]).map(({ id }) => id))
    }
    expect(seen, orderBy).toEqual(expected)
  }
})
