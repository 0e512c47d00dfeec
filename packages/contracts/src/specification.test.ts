import { expectBody, expectRecord } from '@mintmark/devkit/wire-types'
import { expect, it } from 'vitest'
import { contracts } from './index.ts'

it('contracts.get has the method, path and input of the specification', () => {
  expect({ ...contracts.get }).toMatchObject({
    method: 'GET',
    path: '/api/v1/contract/info',
    source: 'stated',
    effect: 'read',
    result: 'envelope',
  })
  expectBody(contracts.get.query, { nftAddress: 'string' }, ['nftAddress'])
  expect([contracts.get.params, contracts.get.body]).toEqual([undefined, undefined])
})

it('contracts.get returns the record of the specification', () => {
  expectRecord(contracts.get.data, {
    adult: 'boolean',
    chainId: 'string',
    channel: 'string',
    contractType: 'string',
    createTime: 'timestamp',
    createTimeLong: 'integer',
    deleted: 'boolean',
    description: 'string',
    id: 'integer',
    imgUrl: 'string',
    metadata: 'string',
    name: 'string',
    nftAddress: 'string',
    nftType: 'string',
    owner: 'string',
    projectId: 'integer',
    symbol: 'string',
    updateTime: 'timestamp',
  })
})
