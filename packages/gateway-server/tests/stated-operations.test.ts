import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import {
  CREATOR,
  callOf,
  HASH,
  NFT_ADDRESS,
  type StatedType,
  statedOperations,
  statedPage,
} from '../src/testing/stated-operations.ts'
import { insertStatedRows } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let ids: { promoCodeCard: number }
beforeAll(async () => {
  gateway = await testGateway()
  ids = await insertStatedRows(gateway, gateway.key.projectId)
})
afterAll(() => gateway.close())

const inputOf = (operation: (typeof statedOperations)[number]) =>
  operation.input.in === 'path' ? { id: ids.promoCodeCard } : operation.valid

const tests: Record<StatedType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  numbers: (value) => Array.isArray(value) && value.every((item) => typeof item === 'number'),
  traits: (value) => Array.isArray(value),
}

function expectRecord(value: unknown, record: Record<string, StatedType>) {
  expect(value).toBeTypeOf('object')
  const given = value as Record<string, unknown>
  expect(Object.keys(given).sort()).toEqual(Object.keys(record).sort())
  for (const [name, type] of Object.entries(record)) {
    expect(tests[type](given[name]), `${name}: ${type}, received ${JSON.stringify(given[name])}`).toBe(true)
  }
}

it.each(statedOperations)(
  'a program that is written from the specification alone gets operation $number as it is stated: $method $path',
  async (operation) => {
    const { status, headers, json } = await gateway.key.call(callOf(operation, inputOf(operation)))
    expect(status, JSON.stringify(json)).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(Object.keys(json).sort()).toEqual(['code', 'data', 'msg', 'success'])
    expect(json).toMatchObject({ code: 200, success: true, msg: expect.any(String) })
    if (!operation.paged) return expectRecord(json.data, operation.record)
    const { list, paras, ...page } = json.data
    expectRecord(page, statedPage)
    expect(paras).toEqual({ creator: CREATOR })
    const items = list as unknown[]
    expect(items).toHaveLength(1)
    for (const item of items) expectRecord(item, operation.record)
  },
)

it('a program that is written from the specification alone is given the stores of a card as text, and an empty object by operation 5', async () => {
  const [, create, , , addNftInfo] = statedOperations
  if (!create || !addNftInfo) throw new Error('the operations are not listed')
  const card = await gateway.key.call(callOf(create, create.valid))
  expect(card.json.data.applicableStores).toBe('["Berlin","Ham\\"burg, {1}"]')
  const added = await gateway.key.call(callOf(addNftInfo, addNftInfo.valid))
  expect(added.text).toBe('{"code":200,"data":{},"msg":"success","success":true}')
})

it('a program that is written from the specification alone finds what it stored, addresses in any case', async () => {
  const create = { path: '/api/v1/card/promoCodeCards/create' }
  const body = {
    name: 'Ünïcode 🎟',
    nftAddress: NFT_ADDRESS.toUpperCase().replace('0X', '0x'),
    startTime: '2026-01-01T02:00:00+02:00',
    endTime: '2026-06-01 12:00Z',
    totalIssued: 3,
  }
  const made = await gateway.key.call({ ...create, body })
  expect(made.json.data).toMatchObject({
    applicableStores: '[]',
    chainId: '84532',
    endTime: '2026-06-01T12:00:00.000Z',
    isRedeemed: false,
    name: 'Ünïcode 🎟',
    nftAddress: NFT_ADDRESS,
    nftType: 'ERC721',
    startTime: '2026-01-01T00:00:00.000Z',
    usedCount: 0,
    validityPeriod: '2026-06-01T12:00:00.000Z',
  })
  const found = await gateway.key.call({ path: `/api/v1/card/promoCodeCards/${made.json.data.id}` })
  expect(found.json.data).toEqual(made.json.data)
})

it('a program that is written from the specification alone sees the paid order in progress, its prices in whole tokens', async () => {
  const { json } = await gateway.key.call({
    path: '/api/v1/order/payOrder',
    body: {
      hash: HASH,
      orderNo: 'stated-order-1',
      recipient: '0x00000000000000000000000000000000000000A1',
    },
  })
  expect(json.data).toMatchObject({ hash: HASH, orderStatus: 1, orderPrice: 1.5, payPrice: 1.25 })
})

const NOBODY = `0x${'0b'.repeat(20)}`

it.each([
  ['wallet info', { path: '/api/v1/wallet/walletInfo', query: `address=${NOBODY}` }],
  ['a promo code card', { path: '/api/v1/card/promoCodeCards/999999' }],
  ['a contract', { path: '/api/v1/contract/info', query: `nftAddress=${NOBODY}` }],
  ['an order', { path: '/api/v1/order/payOrder', body: { hash: HASH, orderNo: 'none', recipient: CREATOR } }],
  ['an operation', { path: '/api/v1/nothing' }],
])('what is not there is 404: %s', async (_, request) => {
  const { status, json } = await gateway.key.call(request)
  expect(status).toBe(404)
  expect(json).toEqual({ code: 404, data: {}, msg: expect.any(String), success: false })
})

it('what is not there does not return an event card as a promo code card', async () => {
  const event = statedOperations.find(({ number }) => number === 4)
  if (!event) throw new Error('operation 4 is not listed')
  const made = await gateway.key.call(callOf(event, event.valid))
  const { status } = await gateway.key.call({ path: `/api/v1/card/promoCodeCards/${made.json.data.id}` })
  expect(status).toBe(404)
})

it('what is not there is an empty page where a list has nothing', async () => {
  const { status, json } = await gateway.key.call({
    path: '/api/v1/card/commemorativeCards/getPageListByCreator',
    query: `creator=${NOBODY}`,
  })
  expect(status).toBe(200)
  expect(json.data).toEqual({
    firstPage: true,
    lastPage: true,
    list: [],
    orderBy: '',
    pageNumber: 1,
    pageSize: 20,
    paras: { creator: NOBODY },
    totalPage: 0,
    totalRow: 0,
  })
})
