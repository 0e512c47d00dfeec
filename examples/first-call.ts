// A first call: makes a promo code card and reads it again. Needs `npm start` running.
import { readFileSync } from 'node:fs'
import { promoCodeCards } from '@mintmark/cards'
import { createGateway } from '@mintmark/transport'

const found = JSON.parse(readFileSync(`${process.env.DATA_DIR ?? '.mintmark'}/credentials.json`, 'utf8'))
const gateway = createGateway(found.gateway)

const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2030-01-01T00:00:00Z' }
const terms = { name: 'Two for one', nftAddress: found.demo.nftAddress, totalIssued: 100, ...times }
const card = await promoCodeCards.create(gateway, terms)
console.log(await promoCodeCards.get(gateway, { id: card.id }))
