// The client of one copy of transport, and operations that were made with another: called, paged, refused, sent elsewhere, pretended.
import { promoCodeCards } from '@mintmark/cards'
import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import { createGateway, type GatewayClient, reroute, withResponse } from '@mintmark/transport'
import { answer, testClient } from '@mintmark/transport/testing'
import given from './given.json' with { type: 'json' }

const { baseUrl, apiKey, secret, nftAddress } = given.gateway
const credentials = { apiKey, secret }
const gateway: GatewayClient = createGateway({ baseUrl, credentials })

/** What an error is to a program that knows its own copy of the error classes alone. */
async function kindOf(call: Promise<unknown>): Promise<AnyMintmarkError['kind']> {
  const error: unknown = await call.then(
    () => new Error('the call was answered'),
    (thrown: unknown) => thrown,
  )
  if (!isMintmarkError(error)) throw error
  return error.kind
}

function same(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' }
const terms = { name: 'Two for one', nftAddress, totalIssued: 1, ...times }
const made = await promoCodeCards.create(gateway, terms, { idempotencyKey: 'auto' })
await promoCodeCards.create(gateway, terms)

const read = await withResponse(promoCodeCards.get, gateway, { id: made.id })
same(read.data.name, 'Two for one')
same(read.status, 200)

const ids: number[] = []
for await (const { id } of promoCodeCards.list.items(gateway, { pageSize: 1, orderBy: 'id' })) ids.push(id)
same(new Set(ids).size, ids.length)
same(ids.includes(made.id) && ids.length >= 2, true)

same(await kindOf(promoCodeCards.get(gateway, { id: 2 ** 31 - 1 })), 'NotFound')
same(await kindOf(promoCodeCards.get(gateway, { id: -1 })), 'InvalidInput')
const stranger = createGateway({ baseUrl, credentials: { apiKey, secret: 'another' } })
same(await kindOf(promoCodeCards.get(stranger, { id: made.id })), 'Unauthorized')

// Paging is the operation's; here it is the one that complains, in the error classes of its own copy.
const page = {
  list: [{}],
  pageNumber: 1,
  pageSize: 1,
  totalPage: 2,
  totalRow: 2,
  firstPage: true,
  lastPage: false,
}
const stuck = createGateway({
  baseUrl,
  credentials,
  responses: 'off',
  fetch: async () => Response.json({ code: 200, success: true, msg: '', data: page }),
})
const wholeList = async () => {
  for await (const _ of promoCodeCards.list.items(stuck));
}
same(await kindOf(wholeList()), 'UnexpectedResponse')

const elsewhere = createGateway({
  baseUrl,
  credentials,
  routes: [reroute(promoCodeCards.list, { path: '/nowhere' })],
})
same(await kindOf(promoCodeCards.list(elsewhere)), 'NotFound')

const pretended = testClient('gateway', [answer(promoCodeCards.get, ({ id }) => ({ ...read.data, id }))])
same((await promoCodeCards.get(pretended, { id: 7 })).id, 7)

// @ts-expect-error: the id is a number, also between two copies
same(await kindOf(promoCodeCards.get(gateway, { id: 'seven' })), 'InvalidInput')

console.log(`${ids.length} cards`)
