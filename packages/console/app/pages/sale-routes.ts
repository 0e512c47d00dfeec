import { type AnyRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { Area } from '../navigation/areas.ts'

/** Creates the routes of contracts, NFTs, minting, the market and wallets. Each page has its own scripts. */
export function createSaleRoutes(getParentRoute: () => AnyRoute): readonly AnyRoute[] {
  const page = (path: string, area: Area, component: RouteComponent): AnyRoute =>
    createRoute({ getParentRoute, path, staticData: { area }, component })
  return [
    page(
      'contracts',
      'contracts',
      lazyRouteComponent(() => import('./contracts/contracts-page.tsx'), 'ContractsPage'),
    ),
    page(
      'contracts/$nftAddress',
      'contracts',
      lazyRouteComponent(() => import('./contracts/contract-page.tsx'), 'ContractPage'),
    ),
    page(
      'nfts',
      'nfts',
      lazyRouteComponent(() => import('./nfts/nfts-page.tsx'), 'NftsPage'),
    ),
    page(
      'nfts/$nftAddress/$nftId',
      'nfts',
      lazyRouteComponent(() => import('./nfts/nft-page.tsx'), 'NftPage'),
    ),
    page(
      'minting',
      'minting',
      lazyRouteComponent(() => import('./minting/minting-page.tsx'), 'MintingPage'),
    ),
    page(
      'minting/$nftAddress',
      'minting',
      lazyRouteComponent(() => import('./minting/collection-page.tsx'), 'CollectionPage'),
    ),
    ...listMarketRoutes(page),
    page(
      'wallets',
      'wallets',
      lazyRouteComponent(() => import('./wallets/wallets-page.tsx'), 'WalletsPage'),
    ),
    page(
      'wallets/$address',
      'wallets',
      lazyRouteComponent(() => import('./wallets/wallet-page.tsx'), 'WalletPage'),
    ),
  ]
}

type CreatePage = (path: string, area: Area, component: RouteComponent) => AnyRoute

function listMarketRoutes(page: CreatePage): readonly AnyRoute[] {
  return [
    page(
      'market',
      'market',
      lazyRouteComponent(() => import('./market/listings/listings-page.tsx'), 'ListingsPage'),
    ),
    page(
      'market/listings/$kind/$id',
      'market',
      lazyRouteComponent(() => import('./market/listings/listing-page.tsx'), 'ListingPage'),
    ),
    page(
      'market/coupons',
      'market',
      lazyRouteComponent(() => import('./market/coupons/coupons-page.tsx'), 'CouponsPage'),
    ),
    page(
      'market/auctions',
      'market',
      lazyRouteComponent(() => import('./market/auctions/auctions-page.tsx'), 'AuctionsPage'),
    ),
    page(
      'market/auctions/$id',
      'market',
      lazyRouteComponent(() => import('./market/auctions/auction-page.tsx'), 'AuctionPage'),
    ),
    page(
      'market/offers',
      'market',
      lazyRouteComponent(() => import('./market/offers/offers-page.tsx'), 'OffersPage'),
    ),
    page(
      'market/products',
      'market',
      lazyRouteComponent(() => import('./market/products/products-page.tsx'), 'ProductsPage'),
    ),
    page(
      'market/products/$nftAddress',
      'market',
      lazyRouteComponent(() => import('./market/products/product-page.tsx'), 'ProductPage'),
    ),
  ]
}
