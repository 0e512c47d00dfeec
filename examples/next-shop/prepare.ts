// Lists a print of the demo, registers the shop's webhook and writes .env.local. Needs `npm start`.
// Run: node prepare.ts
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { eventWebhooks } from '@mintmark/events'
import { commonSales } from '@mintmark/market'
import { createGateway } from '@mintmark/transport'

const [credentialsFile = '../../.mintmark/credentials.json', shopUrl = 'http://localhost:3000'] =
  process.argv.slice(2)
const { gateway: found, demo } = JSON.parse(readFileSync(credentialsFile, 'utf8'))
const { baseUrl, apiKey, secret } = found
const gateway = createGateway(found)

const { list } = await commonSales.list(gateway, { seller: demo.creator, payTokenAddress: '' })
if (list.length === 0) {
  await commonSales.putOnShelf(gateway, {
    seller: demo.creator,
    nftAddress: demo.nftAddress,
    nftId: '1',
    quantity: 20,
    payPrice: '1000000000000000',
  })
}
const url = `${shopUrl}/hooks/mintmark`
for (const { id, url: existing } of await eventWebhooks.list(gateway)) {
  // Its secret was shown when it was created, and only then.
  if (existing === url) await eventWebhooks.remove(gateway, { id })
}
const webhook = await eventWebhooks.configure(gateway, { url, events: ['order.*'] })
const settings = {
  MINTMARK_GATEWAY_URL: baseUrl,
  MINTMARK_API_KEY: apiKey,
  MINTMARK_SECRET: secret,
  MINTMARK_WEBHOOK_SECRETS: webhook.secret,
  SHOP_SELLER: demo.creator,
  SHOP_SECRET: randomBytes(32).toString('base64url'),
}
const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
writeFileSync('.env.local', lines.join(''), { mode: 0o600 })
console.log('Wrote .env.local. Run: npm run dev')
