// A first call: makes a promo code card and reads it again. Needs `npm start` running.
import { readFileSync } from 'node:fs'
import { promoCodeCards } from '@mintmark/cards'
import { createGateway } from '@mintmark/transport'

const { gateway: found, demo } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
const gateway = createGateway({
  baseUrl: found.baseUrl,
  credentials: { apiKey: found.apiKey, secret: found.secret },
})

const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2030-01-01T00:00:00Z' }
const terms = { name: 'Two for one', nftAddress: demo.nftAddress, totalIssued: 100, ...times }
const card = await promoCodeCards.create(gateway, terms)
console.log(await promoCodeCards.get(gateway, { id: card.id }))
