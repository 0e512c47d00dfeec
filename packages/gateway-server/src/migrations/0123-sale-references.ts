import type { Migration } from '@mintmark/server-kit'
import { addReferences, indexReferences } from './reference-columns.ts'

/**
 * Callers' own references of sales and contracts. Auctions and coupons have no list that an index could
 * serve.
 */
export const saleReferences: Migration = {
  id: '0123_sale_references',
  up: `
    ${addReferences('contracts')}
    ${addReferences('listings')}
    ${addReferences('offers')}
    ${addReferences('auctions')}
    ${addReferences('coupons')}
    ${indexReferences('contracts', { listed: 'not deleted' })}
    ${indexReferences('listings', { before: ['market_type'], listed: "status = 'ON'" })}
    ${indexReferences('offers', { before: ['offerer'] })}
  `,
}
