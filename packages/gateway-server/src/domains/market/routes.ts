import type { Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import type { MintPorts } from '../minting/mint-ports.ts'
import { auctionRoutes } from './auctions/auctions.ts'
import { couponCodeRoutes, couponSaleRoutes, limitedTimeCouponRoutes } from './listings/coupon-sales.ts'
import { commonSaleRoutes, specifiedSaleRoutes } from './listings/listings.ts'
import type { MarketPorts } from './market-ports.ts'
import { offerRoutes } from './offers/offers.ts'
import { productCardRoutes } from './product-cards/product-cards.ts'

export const marketRoutes: readonly Route<GatewayContext & MarketPorts & MintPorts>[] = [
  ...commonSaleRoutes,
  ...couponSaleRoutes,
  ...limitedTimeCouponRoutes,
  ...couponCodeRoutes,
  ...specifiedSaleRoutes,
  ...auctionRoutes,
  ...offerRoutes,
  ...productCardRoutes,
]
