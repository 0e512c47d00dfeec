// The market alone: what is on the shelf, in each kind of sale.
import { auctions, commonSales, couponSales } from '@mintmark/market'
import { createGateway } from '@mintmark/transport'
import given from './gateway.json' with { type: 'json' }

const { baseUrl, apiKey, secret } = given
const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
const counts: number[] = []
for (const list of [commonSales.list, couponSales.list]) counts.push((await list(gateway)).totalRow)
const missing: unknown = await auctions.get(gateway, { id: 2 ** 31 - 1 }).catch((error: unknown) => error)
if (!(missing instanceof Error && 'kind' in missing && missing.kind === 'NotFound')) throw missing

console.log(`${counts.join(' and ')} listings`)
