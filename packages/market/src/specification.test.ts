import { expectBody, expectRecord } from '@mintmark/devkit/wire-types'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { productCards } from './index.ts'

it('productCards.addNftInfo has the method and path of the specification', () => {
  expect({ ...productCards.addNftInfo }).toMatchObject({
    method: 'POST',
    path: '/api/v1/market/productCard/add/nftInfo',
    source: 'stated',
    effect: 'write',
    result: 'envelope',
  })
  expect([productCards.addNftInfo.params, productCards.addNftInfo.query]).toEqual([undefined, undefined])
})

it('productCards.addNftInfo accepts the body of the specification', () => {
  expectBody(
    productCards.addNftInfo.body,
    {
      adult: 'boolean',
      channel: 'string',
      description: 'string',
      imgUrl: 'string',
      licenseCode: 'string',
      limited: 'number',
      mediaFileType: 'string',
      mediaFileUrl: 'string',
      name: 'string',
      nftAddress: 'string',
      owner: 'string',
      properties: 'array of properties',
      royaltyPercentage: 'number',
      status: 'string',
      tokenUri: 'string',
    },
    ['name', 'nftAddress', 'owner'],
  )
})

it('productCards.addNftInfo accepts the status DISPLAY', () => {
  const body = { name: 'x', nftAddress: '0x1', owner: '0x2', status: 'DISPLAY' }
  expect(v.parse(v.strictObject(productCards.addNftInfo.body ?? {}), body)).toEqual(body)
})

it('productCards.addNftInfo returns an empty object', () => {
  expectRecord(productCards.addNftInfo.data, {})
})
