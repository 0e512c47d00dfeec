import { expectBody, expectRecord, sampleOf, type Table } from '@mintmark/devkit/wire-types'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { commemorativeCards, eventCards, promoCodeCards } from './index.ts'

const eventCard = {
  applicableStores: 'string',
  backgroundImageUrl: 'string',
  chainId: 'string',
  createTimeLong: 'integer',
  endTime: 'timestamp',
  id: 'integer',
  isCheckedIn: 'boolean',
  logoUrl: 'string',
  name: 'string',
  nftAddress: 'string',
  nftId: 'string',
  nftType: 'string',
  projectId: 'integer',
  qrCodeUrl: 'string',
  startTime: 'timestamp',
  totalIssued: 'integer',
  usageInstructions: 'string',
} as const satisfies Table

const promoCodeCard = {
  applicableStores: 'string',
  backgroundImageUrl: 'string',
  chainId: 'string',
  createTimeLong: 'integer',
  endTime: 'timestamp',
  id: 'integer',
  isRedeemed: 'boolean',
  logoUrl: 'string',
  name: 'string',
  nftAddress: 'string',
  nftId: 'string',
  nftType: 'string',
  projectId: 'integer',
  qrCodeUrl: 'string',
  startTime: 'timestamp',
  totalIssued: 'integer',
  usageInstructions: 'string',
  usedCount: 'integer',
  validityPeriod: 'timestamp',
} as const satisfies Table

const commemorativeCardItem = {
  amount: 'number',
  id: 'integer',
  imageUrl: 'string',
  name: 'string',
  nftAddress: 'string',
  nftId: 'string',
  nftType: 'string',
  qrCodeUrl: 'string',
  totalIssued: 'integer',
  usageInstructions: 'string',
} as const satisfies Table

const createBody = {
  applicableStores: 'array of string',
  backgroundImageUrl: 'string',
  endTime: 'timestamp',
  logoUrl: 'string',
  name: 'string',
  nftAddress: 'string',
  nftId: 'string',
  qrCodeUrl: 'string',
  startTime: 'timestamp',
  totalIssued: 'cardinal',
  usageInstructions: 'string',
} as const satisfies Table
const required = ['endTime', 'name', 'startTime', 'totalIssued']

describe('the card operations that the specification defines have its method and path', () => {
  it.each([
    ['promo code card: create', promoCodeCards.create, 'POST', '/api/v1/card/promoCodeCards/create', 'write'],
    ['promo code card: get', promoCodeCards.get, 'GET', '/api/v1/card/promoCodeCards/{id}', 'read'],
    ['event card: create', eventCards.create, 'POST', '/api/v1/card/eventCards/create', 'write'],
    [
      'commemorative card: list by creator',
      commemorativeCards.listByCreator,
      'GET',
      '/api/v1/card/commemorativeCards/getPageListByCreator',
      'read',
    ],
  ])('%s', (_, operation, method, path, effect) => {
    expect({ ...operation }).toMatchObject({ method, path, effect, source: 'stated', result: 'envelope' })
  })
})

describe('the inputs of card operations match the specification', () => {
  it('promoCodeCards.create accepts the fields of the specification', () => {
    expectBody(promoCodeCards.create.body, createBody, required)
  })

  it('eventCards.create also accepts isCheckedIn', () => {
    expectBody(eventCards.create.body, { ...createBody, isCheckedIn: 'boolean' }, required)
  })

  it('promoCodeCards.get has an integer id in its path', () => {
    expectBody(promoCodeCards.get.params, { id: 'cardinal' }, ['id'])
    expect([promoCodeCards.get.query, promoCodeCards.get.body]).toEqual([undefined, undefined])
  })

  it('commemorativeCards.listByCreator requires only the creator', () => {
    const { creator, ...rest } = commemorativeCards.listByCreator.query ?? {}
    expectBody(creator && { creator }, { creator: 'string' }, ['creator'])
    expect(v.parse(v.strictObject(rest), {})).toEqual({})
  })
})

describe('the records of card operations match the specification', () => {
  it('promoCodeCards.create and promoCodeCards.get return the promo code card of the specification', () => {
    expectRecord(promoCodeCards.create.data, promoCodeCard)
    expectRecord(promoCodeCards.get.data, promoCodeCard)
  })

  it('eventCards.create returns the event card of the specification', () => {
    expectRecord(eventCards.create.data, eventCard)
  })

  it('commemorativeCards.listByCreator returns a page of the list items of the specification', () => {
    const page = {
      firstPage: 'boolean',
      lastPage: 'boolean',
      orderBy: 'string',
      pageNumber: 'integer',
      pageSize: 'integer',
      totalPage: 'integer',
      totalRow: 'integer',
      list: 'list',
      paras: 'object',
    } as const satisfies Table
    expectRecord(commemorativeCards.listByCreator.data, page)
    expectRecord(commemorativeCards.CommemorativeCardItem, commemorativeCardItem)
    // The items of the page must be that record.
    const whole = { ...sampleOf(page), list: [sampleOf(commemorativeCardItem), { id: 1 }] }
    const { issues } = v.safeParse(commemorativeCards.listByCreator.data, whole)
    expect(issues?.[0].path?.slice(0, 2).map(({ key }) => key)).toEqual(['list', 1])
  })
})
