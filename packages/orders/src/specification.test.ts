import { expectBody, expectRecord } from '@mintmark/devkit/wire-types'
import { expect, it } from 'vitest'
import { orders } from './index.ts'

it('orders.payOrder has the method, path and input of the specification', () => {
  expect({ ...orders.payOrder }).toMatchObject({
    method: 'POST',
    path: '/api/v1/order/payOrder',
    source: 'stated',
    effect: 'write',
    result: 'envelope',
  })
  const body = { hash: 'string', orderNo: 'string', recipient: 'string' } as const
  expectBody(orders.payOrder.body, body, ['hash', 'orderNo', 'recipient'])
  expect([orders.payOrder.params, orders.payOrder.query]).toEqual([undefined, undefined])
})

it('orders.payOrder returns the record of the specification', () => {
  expectRecord(orders.payOrder.data, {
    chainId: 'string',
    couponCode: 'string',
    couponLink: 'string',
    couponNftId: 'string',
    couponType: 'number',
    createTime: 'timestamp',
    createTimeLong: 'integer',
    deleted: 'boolean',
    description: 'string',
    fileType: 'string',
    grade: 'number',
    hash: 'string',
    id: 'integer',
    marketAddress: 'string',
    marketType: 'number',
    name: 'string',
    nftAddress: 'string',
    nftId: 'string',
    nftImg: 'string',
    nftName: 'string',
    nftType: 'string',
    oday: 'number',
    omonth: 'number',
    oseason: 'number',
    oweek: 'number',
    oyear: 'number',
    orderNo: 'string',
    orderPrice: 'number',
    orderStatus: 'number',
    orderType: 'number',
    orderTypes: 'array of number',
    payPrice: 'number',
    payTokenAddress: 'string',
    payTokenType: 'string',
    projectId: 'integer',
    quantity: 'number',
    recipient: 'string',
    recipientGrade: 'string',
    recipientName: 'string',
    recipientPhoto: 'string',
    recipientIsNftImage: 'boolean',
    rewardAmount: 'string',
    rewardTokenAddress: 'string',
    rewardTokenType: 'string',
    searchKey: 'string',
    sender: 'string',
    senderGrade: 'string',
    senderName: 'string',
    senderPhoto: 'string',
    senderIsNftImage: 'boolean',
    serialNo: 'string',
    txId: 'string',
    updateTime: 'timestamp',
  })
})
