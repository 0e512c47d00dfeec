// Calls operations that were defined with one copy of the core packages through the client of another copy.
import { promoCodeCards } from '@mintmark/cards'
import { isMintmarkError } from '@mintmark/envelope'
import { createGateway, type GatewayClient, reroute, withResponse } from '@mintmark/transport'
import { respondTo, testClient } from '@mintmark/transport/testing'
import given from './given.json' with { type: 'json' }

const { baseUrl, apiKey, secret, nftAddress } = given.gateway
const credentials = { apiKey, secret }
const gateway: GatewayClient = createGateway({ baseUrl, credentials })

/** The kind of the error that a call fails with, by this program's copy of the error classes. */
async function kindOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('The call succeeded'),
    (cause: unknown) => cause,
  )
  if (!isMintmarkError(error)) throw error
  return error.kind
}

function expectEqual(actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`)
}

const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T23:59:59Z' }
const terms = { name: 'Two for one', nftAddress, totalIssued: 1, ...times }
const { id } = await promoCodeCards.create(gateway, terms, { idempotencyKey: 'auto' })
await promoCodeCards.create(gateway, terms)
const { data, status } = await withResponse(promoCodeCards.get, gateway, { id })
expectEqual(data.name, 'Two for one')
expectEqual(status, 200)

const ids = new Set<number>()
for await (const card of promoCodeCards.list.items(gateway, { pageSize: 1, orderBy: 'id' })) ids.add(card.id)
expectEqual(ids.has(id) && ids.size >= 2, true)

expectEqual(await kindOf(promoCodeCards.get(gateway, { id: 2 ** 31 - 1 })), 'NotFound')
expectEqual(await kindOf(promoCodeCards.get(gateway, { id: -1 })), 'InvalidInput')
const routes = [reroute(promoCodeCards.list, { path: '/nowhere' })]
expectEqual(await kindOf(promoCodeCards.list(createGateway({ baseUrl, credentials, routes }))), 'NotFound')

const fake = testClient('gateway', [respondTo(promoCodeCards.get, (input) => ({ ...data, id: input.id }))])
expectEqual((await promoCodeCards.get(fake, { id: 7 })).id, 7)

// @ts-expect-error: the id is a number, also across two copies
expectEqual(await kindOf(promoCodeCards.get(gateway, { id: 'seven' })), 'InvalidInput')
console.log(`${ids.size} cards`)
