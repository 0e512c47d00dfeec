import { expectBody, expectRecord } from '@mintmark/devkit/wire-types'
import { expect, it } from 'vitest'
import { walletInfo } from './index.ts'

it('walletInfo.get has the method, path and input of the specification', () => {
  expect({ ...walletInfo.get }).toMatchObject({
    method: 'GET',
    path: '/api/v1/wallet/walletInfo',
    source: 'stated',
    effect: 'read',
    result: 'envelope',
  })
  expectBody(walletInfo.get.query, { address: 'string' }, ['address'])
  expect([walletInfo.get.params, walletInfo.get.body]).toEqual([undefined, undefined])
})

it('walletInfo.get returns the record of the specification', () => {
  expectRecord(walletInfo.get.data, {
    address: 'string',
    background: 'string',
    description: 'string',
    email: 'string',
    name: 'string',
    profilePhoto: 'string',
    showcaseBackground: 'string',
  })
})
