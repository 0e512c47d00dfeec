// Orders alone: a page of them, with what came around it.
import { list } from '@mintmark/orders/orders'
import { createGateway, withResponse } from '@mintmark/transport'
import given from './gateway.json' with { type: 'json' }

const { baseUrl, apiKey, secret, wallet } = given
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
const { data: page, status } = await withResponse(list, gateway, { recipient: wallet, pageSize: 5 })
if (status !== 200 || page.list.length !== page.totalRow) throw new Error(JSON.stringify(page))

console.log(`${page.totalRow} orders`)
