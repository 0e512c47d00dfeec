import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../context.ts'
import { auctionRoutes } from './auctions.ts'
import { commonSaleRoutes } from './common-sales.ts'
import { couponCodeRoutes, couponSaleRoutes, limitedTimeCouponRoutes } from './coupon-sales.ts'
import { offerRoutes } from './offers.ts'
import { productCardRoutes } from './product-cards.ts'
import { specifiedSaleRoutes } from './specified-sales.ts'

export const marketRoutes: readonly Route<GatewayContext>[] = [
  ...commonSaleRoutes,
  ...couponSaleRoutes,
  ...limitedTimeCouponRoutes,
  ...couponCodeRoutes,
  ...specifiedSaleRoutes,
  ...auctionRoutes,
  ...offerRoutes,
  ...productCardRoutes,
]
