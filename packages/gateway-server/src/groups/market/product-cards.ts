import { productCards } from '@mintmark/market'
import { implement } from '../../context.ts'
import { refuseLongAddress } from '../address-rules.ts'
import { CALLER_STATUSES, MAX_ROYALTY_PERCENTAGE } from './product-card-rules.ts'
import * as store from './product-cards-store.ts'

export const productCardRoutes = implement(productCards, {
  async addNftInfo(input, { db, project, invalid }) {
    const { status = 'DISPLAY', royaltyPercentage = 0, limited = 0 } = input
    refuseLongAddress('nftAddress', input.nftAddress, invalid)
    refuseLongAddress('owner', input.owner, invalid)
    if (!CALLER_STATUSES.has(status)) invalid('status', `Expected ${[...CALLER_STATUSES].join(' or ')}`)
    if (royaltyPercentage < 0 || royaltyPercentage > MAX_ROYALTY_PERCENTAGE) {
      invalid('royaltyPercentage', `Expected a number from 0 to ${MAX_ROYALTY_PERCENTAGE}`)
    }
    if (!Number.isSafeInteger(limited) || limited < 0) invalid('limited', 'Expected an integer from 0')
    await store.add(db, project, { ...input, status, royaltyPercentage, limited })
    return {}
  },
})
