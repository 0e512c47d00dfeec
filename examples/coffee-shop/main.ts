// A coffee shop's stamp cards. Needs `npm start` running. Run: npx node examples/coffee-shop/main.ts
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createGateway } from '@mintmark/transport'
import { createCoffeeShop } from './shop.ts'

const { gateway, demo } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
const staffPassword = process.env.STAFF_PASSWORD || crypto.randomUUID()
const shop = createCoffeeShop({
  gateway: createGateway(gateway),
  nftAddress: demo.nftAddress,
  staffPassword,
})
serve({ fetch: shop.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT || 3000) }, ({ port }) => {
  console.log(`customers  http://localhost:${port}`)
  console.log(`staff      http://localhost:${port}/staff  (user staff, password ${staffPassword})`)
})
