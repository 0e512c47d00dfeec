import { TOTAL_BELOW_USED } from '@mintmark/cards'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardBody, codeOf, createCardClient } from '../../../testing/cards.ts'
import { TEST_URL, type TestGateway, testGateway } from '../../../testing/gateway.ts'

let gateway: TestGateway
let calls: ReturnType<typeof createCardClient>
beforeAll(async () => {
  gateway = await testGateway()
  calls = createCardClient(gateway)
})
afterAll(() => gateway.close())

const programs = ['promoCodeCards', 'eventCards', 'commemorativeCards', 'membershipCards'] as const

describe('updating a card', () => {
  it.each(programs)(
    'updating a card changes the given fields of %s and keeps the others',
    async (program) => {
      const before = await calls.create(program, {
        applicableStores: ['Berlin'],
        logoUrl: 'https://example.com/logo.png',
        nftId: '7',
      })
      const { status, json } = await calls.post(program, '/update', {
        id: before.id,
        name: 'Last night',
        totalIssued: 9,
        applicableStores: [],
      })
      expect(status).toBe(200)
      expect(json.data).toEqual({ ...before, name: 'Last night', totalIssued: 9, applicableStores: '[]' })
      expect((await calls.get(program, `/${before.id}`)).json.data).toEqual(json.data)
    },
  )

  it('updating a card changes the fields that one program has', async () => {
    const commemorative = await calls.create('commemorativeCards', {
      amount: 1,
      imageUrl: 'https://a.example/1',
    })
    expect(
      (await calls.post('commemorativeCards', '/update', { id: commemorative.id, amount: 2.5 })).json.data,
    ).toMatchObject({ amount: 2.5, imageUrl: 'https://a.example/1' })
    const member = await calls.create('membershipCards', { level: 'gold', benefits: ['Coffee'] })
    expect(member).toMatchObject({ level: 'gold', benefits: ['Coffee'], validityPeriod: member.endTime })
    expect(
      (await calls.post('membershipCards', '/update', { id: member.id, level: 'platinum' })).json.data,
    ).toMatchObject({ level: 'platinum', benefits: ['Coffee'] })
  })

  it('updating a card takes creator, chain and token type from a new contract', async () => {
    const registered = `0x${'ab'.repeat(20)}`
    const upperCase = `0x${'AB'.repeat(20)}`
    const owner = `0x${'0e'.repeat(20)}`
    await gateway.owner.system
      .insertInto('gateway.contracts')
      .values({
        project_id: gateway.key.projectId,
        chain_id: '84532',
        nft_address: registered,
        name: 'Prints',
        nft_type: 'ERC1155',
        owner,
      })
      .execute()
    const { id, chainId } = await calls.create('promoCodeCards')
    expect(chainId).toBe('')
    const { data } = (await calls.post('promoCodeCards', '/update', { id, nftAddress: upperCase })).json
    expect(data).toMatchObject({ nftAddress: registered, chainId: '84532', nftType: 'ERC1155' })
    const list = await calls.get('promoCodeCards', '/getPageListByCreator', { creator: owner })
    expect(list.json.data.totalRow).toBe(1)
  })

  it('updating a card refuses a total below the used count, also under concurrent redemptions', async () => {
    const { id } = await calls.create('promoCodeCards', { totalIssued: 5 })
    await calls.verify('promoCodeCards', { id })
    await calls.verify('promoCodeCards', { id })
    const reduce = (totalIssued: number) => calls.post('promoCodeCards', '/update', { id, totalIssued })
    const refused = await reduce(1)
    expect(refused.status).toBe(409)
    expect(refused.json).toMatchObject({
      code: TOTAL_BELOW_USED.code,
      data: { reason: TOTAL_BELOW_USED.reason },
    })
    expect((await reduce(2)).json.data).toMatchObject({ totalIssued: 2, usedCount: 2, isRedeemed: true })
    await reduce(10)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        at % 2 ? (await reduce(4)).status : (await calls.verify('promoCodeCards', { id })).result,
      ),
    )
    const card = (await calls.get('promoCodeCards', `/${id}`)).json.data as { usedCount: number }
    expect(card.usedCount).toBe(2 + outcomes.filter((each) => each === 'OK').length)
  })

  it('updating a card refuses a startTime after the endTime, also if only one of them changes', async () => {
    const { id } = await calls.create('promoCodeCards')
    for (const [field, change] of [
      ['endTime', { endTime: '2025-01-01T00:00:00Z' }],
      ['startTime', { startTime: '2100-01-01T00:00:00Z' }],
      ['endTime', { startTime: '2027-01-01T00:00:00Z', endTime: '2026-06-01T00:00:00Z' }],
      ['validityPeriod', { validityPeriod: '2025-01-01T00:00:00Z' }],
    ] as const) {
      const { status, json } = await calls.post('promoCodeCards', '/update', { id, ...change })
      expect(status).toBe(400)
      expect(json.data).toMatchObject({ issues: [{ path: field }] })
    }
    expect((await calls.get('promoCodeCards', `/${id}`)).json.data).toMatchObject({
      startTime: '2026-01-01T00:00:00.000Z',
      endTime: '2099-12-31T00:00:00.000Z',
    })
  })

  it('updating a card moves the validity with the end until it is set to another time', async () => {
    const { id } = await calls.create('promoCodeCards')
    const update = async (change: object) =>
      (await calls.post('promoCodeCards', '/update', { id, ...change })).json.data
    expect(await update({ endTime: '2030-01-01T00:00:00Z' })).toMatchObject({
      validityPeriod: '2030-01-01T00:00:00.000Z',
    })
    expect(await update({ validityPeriod: '2030-02-01T00:00:00Z' })).toMatchObject({
      endTime: '2030-01-01T00:00:00.000Z',
      validityPeriod: '2030-02-01T00:00:00.000Z',
    })
    expect(await update({ endTime: '2029-01-01T00:00:00Z' })).toMatchObject({
      validityPeriod: '2030-02-01T00:00:00.000Z',
    })
  })

  it('updating a card stores a refusal under an Idempotency-Key', async () => {
    const { id } = await calls.create('promoCodeCards', { totalIssued: 2 })
    await calls.verify('promoCodeCards', { id })
    await calls.verify('promoCodeCards', { id })
    const request = {
      path: '/api/v1/card/promoCodeCards/update',
      body: { id, totalIssued: 1 },
      headers: { 'idempotency-key': 'reduce' },
    }
    const [first, second] = [await gateway.key.call(request), await gateway.key.call(request)]
    expect([first.status, second.status]).toEqual([409, 409])
    expect(second.json).toEqual(first.json)
  })

  it.each(programs)(
    'updating a card finds no removed card and no card of another program among %s',
    async (program) => {
      const { id } = await calls.create(program)
      const other = program === 'eventCards' ? 'promoCodeCards' : 'eventCards'
      expect((await calls.post(other, '/update', { id, name: 'Mine now' })).status).toBe(404)
      await calls.remove(program, id)
      expect((await calls.post(program, '/update', { id, name: 'Back again' })).status).toBe(404)
    },
  )
})

describe('removing a card', () => {
  it.each(programs)('removing a card removes a card from %s and is idempotent', async (program) => {
    const card = await calls.create(program)
    const other = program === 'eventCards' ? 'promoCodeCards' : 'eventCards'
    expect((await calls.remove(other, card.id)).status).toBe(404)
    expect((await calls.get(program, `/${card.id}`)).status).toBe(200)
    for (let time = 1; time <= 2; time++) {
      const { status, json } = await calls.remove(program, card.id)
      expect([status, json.data]).toEqual([200, {}])
    }
    expect((await calls.get(program, `/${card.id}`)).status).toBe(404)
    expect((await calls.get(program, '/detail', { qrCode: codeOf(card) })).status).toBe(404)
    expect((await calls.get(program, '/page', { pageSize: '100' })).text).not.toContain(`"id":${card.id},`)
  })
})

describe('creating a batch of cards', () => {
  it('creating a batch of cards creates all cards and returns them in the order of the input, each with its own code', async () => {
    const cards = Array.from({ length: 500 }, (_, at) => ({ ...cardBody, name: `card ${500 - at}` }))
    const { status, json } = await calls.post('membershipCards', '/createBatch', { cards })
    expect(status).toBe(200)
    const created = json.data as unknown as { id: number; name: string; qrCodeUrl: string }[]
    expect(created.map(({ name }) => name)).toEqual(cards.map(({ name }) => name))
    expect(new Set(created.map(codeOf)).size).toBe(500)
  })

  it('creating a batch of cards creates no card if one is invalid, and names it', async () => {
    const name = 'Not a single one'
    const cards = [{ name }, { name }, { name, endTime: '2020-01-01T00:00:00Z' }]
    const { status, json } = await calls.post('eventCards', '/createBatch', {
      cards: cards.map((card) => ({ ...cardBody, ...card })),
    })
    expect(status).toBe(400)
    expect(json.data).toMatchObject({ issues: [{ path: 'cards.2.endTime' }] })
    expect((await calls.get('eventCards', '/search', { keyword: name })).json.data.totalRow).toBe(0)
  })
})

it('a card by its QR code is found by the code and by the address of its page or of its picture', async () => {
  const card = await calls.create('commemorativeCards')
  const page = `${TEST_URL}/c/${gateway.key.projectId}/${codeOf(card)}`
  for (const qrCode of [codeOf(card), page, ` ${page}/`, `${page}?from=poster`, card.qrCodeUrl]) {
    expect((await calls.get('commemorativeCards', '/detail', { qrCode })).json.data, qrCode).toEqual(card)
  }
  expect((await calls.get('eventCards', '/detail', { qrCode: page })).status).toBe(404)
  expect((await calls.get('commemorativeCards', '/detail', { qrCode: `${page}x` })).status).toBe(404)
  expect((await calls.get('commemorativeCards', '/detail', { qrCode: `${card.qrCodeUrl}x` })).status).toBe(
    404,
  )
})
