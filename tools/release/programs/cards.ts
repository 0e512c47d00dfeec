// Cards alone: one is made, read, found again in a list, redeemed by what a scanner read, and refused the second time.
import { promoCodeCards } from '@mintmark/cards'
import { get } from '@mintmark/cards/promo-code-cards'
import { createGateway, withResponse } from '@mintmark/transport'
import given from './given.json' with { type: 'json' }

const { baseUrl, apiKey, secret, nftAddress } = given.gateway
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })

const made = await promoCodeCards.create(gateway, {
  name: 'Two for one',
  nftAddress,
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T23:59:59Z',
  totalIssued: 1,
})
const { data: card, status, requestId } = await withResponse(get, gateway, { id: made.id })
if (card.name !== 'Two for one' || status !== 200 || !requestId) throw new Error('the card was not read')

let found = false
for await (const { id } of promoCodeCards.list.items(gateway, { pageSize: 1 })) found ||= id === made.id
if (!found) throw new Error('the card is in no list')

// The picture's name is the code that it shows.
const qrCode = /([\w-]+)\.svg$/.exec(made.qrCodeUrl)?.[1] ?? ''
const scanned = await promoCodeCards.getByQrCode(gateway, { qrCode })
const redeem = () =>
  promoCodeCards.createVerification(gateway, { id: scanned.id, action: 'REDEEM', nonce: crypto.randomUUID() })
const [first, second] = [await redeem(), await redeem()]
if (first.result === second.result) throw new Error(`redeemed twice: ${JSON.stringify([first, second])}`)

const missing: unknown = await get(gateway, { id: 2 ** 31 - 1 }).catch((error: unknown) => error)
if (!(missing instanceof Error && 'kind' in missing && missing.kind === 'NotFound')) throw missing
// @ts-expect-error: the id is a number
get(gateway, { id: 'seven' }).catch(() => undefined)

console.log(`card ${card.id}: ${first.result}, then ${second.result}`)
