import { readQrCode } from '@mintmark/devkit/read-qr-code'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_URL, type TestGateway, testGateway } from '../../../testing/gateway.ts'
import { CREATOR, NFT_ADDRESS, WALLET } from '../../../testing/stated-operations.ts'
import { buildCommemorativeCardRow, insertStatedRows } from '../../../testing/stated-rows.ts'
import { drawQrCode } from './card-rules.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
  await insertStatedRows(gateway, gateway.key.projectId)
})
afterAll(() => gateway.close())

const body = {
  name: 'Opening night',
  nftAddress: NFT_ADDRESS,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2026-12-31T00:00:00Z',
  totalIssued: 3,
}
const create = async (more: object = {}, key = gateway.key, program = 'promoCodeCards') =>
  (await key.call({ path: `/api/v1/card/${program}/create`, body: { ...body, ...more } })).json.data

const UNREGISTERED = `0x${'0f'.repeat(20)}`

async function creatorOf(id: unknown): Promise<string> {
  const card = await gateway.owner.system
    .selectFrom('gateway.cards')
    .select('creator')
    .where('id', '=', Number(id))
    .executeTakeFirstOrThrow()
  return card.creator
}

it('a card has the owner of its contract as its creator, or else the wallet of the key', async () => {
  const key = await gateway.newKey({ wallet: WALLET.toUpperCase().replace('0X', '0x') })
  expect(await creatorOf((await create({}, key)).id)).toBe(CREATOR)
  expect(await creatorOf((await create({ nftAddress: UNREGISTERED }, key)).id)).toBe(WALLET)
  expect(await creatorOf((await create({ nftAddress: UNREGISTERED })).id)).toBe('')
})

it('a card belongs to the one default collection of its project if it names no contract', async () => {
  const key = await gateway.newKey({ project: 'without a chain', wallet: WALLET })
  const cards = await Promise.all(
    ['promoCodeCards', 'eventCards', 'membershipCards', 'commemorativeCards'].map(
      async (program) => await create({ nftAddress: undefined }, key, program),
    ),
  )
  const addresses = new Set(cards.map(({ nftAddress }) => nftAddress))
  expect([...addresses]).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/)])
  expect(cards[0]).toMatchObject({ chainId: '', nftType: 'ERC1155' })
  const contracts = await key.call({ path: '/api/v1/contract/page', query: '' })
  expect(contracts.json.data.list).toMatchObject([{ nftAddress: cards[0]?.nftAddress, name: 'Cards' }])
  expect((await create({ nftAddress: '' }, key)).nftAddress).toBe(cards[0]?.nftAddress)
  expect((await create({ nftAddress: undefined })).nftAddress).not.toBe(cards[0]?.nftAddress)
})

it('a card has the chain of the contract that was registered first if its address is one on several chains', async () => {
  const nftAddress = `0x${'0e'.repeat(20)}`
  for (const chainId of ['31337', '1', '8453']) {
    const contract = {
      nftAddress,
      chainId,
      allowUnknownChain: true,
      name: `Prints on ${chainId}`,
      nftType: 'ERC721',
    }
    await gateway.key.call({ path: '/api/v1/contract/add', body: contract })
  }
  expect(await create({ nftAddress })).toMatchObject({ chainId: '31337' })
})

it('a card keeps the QR image of its creator', async () => {
  expect(await create({ qrCodeUrl: 'https://example.com/mine.png' })).toMatchObject({
    qrCodeUrl: 'https://example.com/mine.png',
  })
})

it('a card of an event is not checked in by default', async () => {
  expect(await create({}, gateway.key, 'eventCards')).toMatchObject({ isCheckedIn: false })
  expect(await create({ isCheckedIn: true }, gateway.key, 'eventCards')).toMatchObject({
    isCheckedIn: true,
  })
})

it('a card is redeemed when all issued ones are used', async () => {
  const { id } = await create({ totalIssued: 2 })
  const use = (used_count: number) =>
    gateway.owner.system
      .updateTable('gateway.cards')
      .set({ used_count })
      .where('id', '=', Number(id))
      .execute()
  const get = async () => (await gateway.key.call({ path: `/api/v1/card/promoCodeCards/${id}` })).json.data
  await use(1)
  expect(await get()).toMatchObject({ usedCount: 1, isRedeemed: false })
  await use(2)
  expect(await get()).toMatchObject({ usedCount: 2, isRedeemed: true })
  await expect(use(3)).rejects.toThrow(/cards_used_within_issued/)
})

it('a card is not found after its removal', async () => {
  const { id } = await create()
  await gateway.owner.system
    .updateTable('gateway.cards')
    .set({ deleted: true })
    .where('id', '=', Number(id))
    .execute()
  expect((await gateway.key.call({ path: `/api/v1/card/promoCodeCards/${id}` })).status).toBe(404)
})

describe('the QR image of a card', () => {
  const picture = async (url: string) => await gateway.app.request(url.replace(TEST_URL, ''))

  it('the QR image of a card is an SVG of its unguessable code', async () => {
    const { id, qrCodeUrl } = await create()
    const card = await gateway.owner.system
      .selectFrom('gateway.cards')
      .select('qr_code')
      .where('id', '=', Number(id))
      .executeTakeFirstOrThrow()
    expect(qrCodeUrl).toBe(`${TEST_URL}/qr/${gateway.key.projectId}/${card.qr_code}.svg`)
    const response = await picture(String(qrCodeUrl))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    expect(response.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(readQrCode(await response.text())).toBe(`${TEST_URL}/c/${gateway.key.projectId}/${card.qr_code}`)
  })

  it('the QR image of a card is missing for an unknown code or project', async () => {
    const { qrCodeUrl } = await create()
    const url = new URL(String(qrCodeUrl))
    const [, , project = '', file = ''] = url.pathname.split('/')
    for (const path of [
      `/qr/${project}/${drawQrCode()}.svg`,
      `/qr/${Number(project) + 1}/${file}`,
      `/qr/999999999999999/${file}`,
      `/qr/0/${file}`,
      `/qr/${project}/short.svg`,
      `/qr/${project}/${file.replace('.svg', '.png')}`,
      `/qr/${project}/..%2f${file}`,
    ]) {
      expect((await picture(path)).status, path).toBe(404)
    }
  })

  it('the QR image of a card is missing after the card’s removal', async () => {
    const { id, qrCodeUrl } = await create()
    await gateway.owner.system
      .updateTable('gateway.cards')
      .set({ deleted: true })
      .where('id', '=', Number(id))
      .execute()
    expect((await picture(String(qrCodeUrl))).status).toBe(404)
  })
})

describe('the list of a creator’s commemorative cards', () => {
  const list = async (query: Record<string, string>) =>
    (
      await gateway.key.call({
        path: '/api/v1/card/commemorativeCards/getPageListByCreator',
        query: new URLSearchParams(query).toString(),
      })
    ).json.data

  it('the list of a creator’s commemorative cards contains the same cards by cursor as by page number', async () => {
    const creator = '0x00000000000000000000000000000000000000f0'
    const cards = Array.from({ length: 45 }, (_, at) =>
      buildCommemorativeCardRow(gateway.key.projectId, {
        creator,
        name: `card ${at % 4}`,
        amount: String(at),
      }),
    )
    await gateway.owner.system.insertInto('gateway.cards').values(cards).execute()
    const request = {
      creator: creator.toUpperCase().replace('0X', '0x'),
      pageSize: '10',
      orderBy: 'name desc',
    }
    const numbered: unknown[] = []
    for (let page = 1; page <= 5; page++) {
      const {
        list: items,
        totalPage,
        totalRow,
        lastPage,
      } = await list({ ...request, pageNumber: String(page) })
      expect([totalPage, totalRow, lastPage]).toEqual([5, 45, page === 5])
      numbered.push(...(items as unknown[]))
    }
    const walked: unknown[] = []
    let cursor: Record<string, string> = {}
    for (let page = 1; page <= 5; page++) {
      const data = await list({ ...request, ...cursor, pageNumber: String(page) })
      walked.push(...(data.list as unknown[]))
      const { next, ...echoed } = data.paras as Record<string, string>
      expect(echoed).toEqual({ creator: request.creator })
      cursor = { cursor: next ?? '' }
    }
    expect(walked).toEqual(numbered)
    expect(new Set(walked.map((item) => JSON.stringify(item))).size).toBe(45)
  })
})
