import type { ComponentType } from 'react'
import type { Area } from './navigation/areas.ts'

/** Loads the scripts of a page. */
export type LoadPage = () => Promise<ComponentType>

/** A page of a project. */
interface ProjectPage {
  /** The part of the console that the role must include. */
  readonly area: Area
  readonly load: LoadPage
  /** As in {@link firstReads}. */
  readonly firstReads?: readonly string[] | undefined
}

/**
 * Pages by their addresses, below that of their part of the console. An address with a word precedes one with
 * a parameter in its place.
 */
type Pages<Page> = Readonly<Record<string, Page>>

/** The pages that belong to no project and to no part of the console. */
export const ownPages = {
  'sign-in': async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage,
  'invitation/$token': async () => (await import('./pages/invitation/invitation-page.tsx')).InvitationPage,
  'new-password': async () => (await import('./pages/new-password/request-page.tsx')).RequestNewPasswordPage,
  'new-password/$token': async () =>
    (await import('./pages/new-password/new-password-page.tsx')).NewPasswordPage,
  account: async () => (await import('./pages/account/account-page.tsx')).AccountPage,
  'facilitator-account': async () =>
    (await import('./pages/facilitator/own-account-page.tsx')).OwnAccountPage,
} satisfies Pages<LoadPage>

/** The pages of projects. The first word of an address is the part of the console that the role must include. */
const scripts = {
  overview: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage,
  reports: async () => (await import('./pages/reports/reports-page.tsx')).ReportsPage,
  orders: async () => (await import('./pages/orders/orders-page.tsx')).OrdersPage,
  'orders/$orderNo': async () => (await import('./pages/orders/order-page.tsx')).OrderPage,
  search: async () => (await import('./pages/search/search-page.tsx')).SearchPage,
  keys: async () => (await import('./pages/keys/keys-page.tsx')).KeysPage,
  people: async () => (await import('./pages/people/people-page.tsx')).PeoplePage,
  events: async () => (await import('./pages/events/events-page.tsx')).EventsPage,
  webhooks: async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage,
  'webhooks/$webhookId': async () => (await import('./pages/webhooks/webhook-page.tsx')).WebhookPage,
  audit: async () => (await import('./pages/audit/audit-page.tsx')).AuditPage,
  explorer: async () => (await import('./pages/explorer/explorer-page.tsx')).ExplorerPage,
  scanner: async () => (await import('./pages/scanner/scanner-page.tsx')).ScannerPage,
  cards: async () => (await import('./pages/cards/cards-page.tsx')).CardsIndexPage,
  'cards/settings': async () => (await import('./pages/cards/card-settings-page.tsx')).CardSettingsPage,
  'cards/$program': async () => (await import('./pages/cards/cards-page.tsx')).CardsPage,
  'cards/$program/new': async () => (await import('./pages/cards/card-editor-page.tsx')).NewCardPage,
  'cards/$program/import': async () => (await import('./pages/cards/import/import-page.tsx')).ImportPage,
  'cards/$program/print': async () => (await import('./pages/cards/print-page.tsx')).PrintPage,
  'cards/$program/$id': async () => (await import('./pages/cards/card-page.tsx')).CardPage,
  'cards/$program/$id/edit': async () => (await import('./pages/cards/card-editor-page.tsx')).EditCardPage,
  campaigns: async () => (await import('./pages/cards/campaigns/campaigns-page.tsx')).CampaignsPage,
  'campaigns/new': async () =>
    (await import('./pages/cards/campaigns/new-campaign-page.tsx')).NewCampaignPage,
  'campaigns/$id': async () => (await import('./pages/cards/campaigns/campaign-page.tsx')).CampaignPage,
  stores: async () => (await import('./pages/stores/stores-page.tsx')).StoresPage,
  contracts: async () => (await import('./pages/contracts/contracts-page.tsx')).ContractsPage,
  'contracts/$nftAddress': async () => (await import('./pages/contracts/contract-page.tsx')).ContractPage,
  nfts: async () => (await import('./pages/nfts/nfts-page.tsx')).NftsPage,
  'nfts/$nftAddress/$nftId': async () => (await import('./pages/nfts/nft-page.tsx')).NftPage,
  minting: async () => (await import('./pages/minting/minting-page.tsx')).MintingPage,
  'minting/$nftAddress': async () => (await import('./pages/minting/collection-page.tsx')).CollectionPage,
  market: async () => (await import('./pages/market/listings/listings-page.tsx')).ListingsPage,
  'market/listings/$kind/$id': async () =>
    (await import('./pages/market/listings/listing-page.tsx')).ListingPage,
  'market/coupons': async () => (await import('./pages/market/coupons/coupons-page.tsx')).CouponsPage,
  'market/auctions': async () => (await import('./pages/market/auctions/auctions-page.tsx')).AuctionsPage,
  'market/auctions/$id': async () => (await import('./pages/market/auctions/auction-page.tsx')).AuctionPage,
  'market/offers': async () => (await import('./pages/market/offers/offers-page.tsx')).OffersPage,
  'market/products': async () => (await import('./pages/market/products/products-page.tsx')).ProductsPage,
  'market/products/$nftAddress': async () =>
    (await import('./pages/market/products/product-page.tsx')).ProductPage,
  wallets: async () => (await import('./pages/wallets/wallets-page.tsx')).WalletsPage,
  'wallets/$address': async () => (await import('./pages/wallets/wallet-page.tsx')).WalletPage,
} satisfies { readonly [path in Area | `${Area}/${string}` | 'search']?: LoadPage }

/**
 * What a page of a project reads if its address has no search, whoever opens it: paths of the gateway with their
 * queries. They are requested before its scripts have loaded.
 */
const firstReads: Pages<readonly string[]> = {
  overview: [
    '/api/v1/order/list?pageSize=1&orderStatus=6',
    '/api/v1/order/list?pageSize=1&refundDue=true',
    '/api/v1/webhooks',
    '/api/v1/order/list?pageSize=5',
  ],
  orders: ['/api/v1/order/list?pageNumber=1&pageSize=20'],
  webhooks: ['/api/v1/webhooks'],
  campaigns: ['/api/v1/card/campaigns'],
  stores: ['/api/v1/card/stores'],
  contracts: ['/api/v1/contract/page?pageNumber=1&pageSize=20'],
  nfts: ['/api/v1/contract/page?pageSize=100', '/api/v1/nft/page?pageNumber=1&pageSize=20'],
  minting: ['/api/v1/contract/page?pageNumber=1&pageSize=20'],
  market: ['/api/v1/contract/page?pageSize=100', '/api/v1/market/common/list?pageNumber=1&pageSize=20'],
}

export const projectPages: Pages<ProjectPage> = Object.fromEntries(
  Object.entries(scripts).map(([path, load]) => {
    const [area] = path === 'search' ? ['orders'] : path.split('/')
    // The type of `scripts` says that the first word is one.
    return [path, { area: area as Area, load, firstReads: firstReads[path] }]
  }),
)

/** The pages of those who operate the server. They belong to no project. */
export const operatorPages: Pages<LoadPage> = {
  health: async () => (await import('./pages/operator/health-page.tsx')).HealthPage,
  projects: async () => (await import('./pages/operator/projects-page.tsx')).ProjectsPage,
  people: async () => (await import('./pages/operator/operators-page.tsx')).OperatorsPage,
  orders: async () => (await import('./pages/operator/orders-page.tsx')).StuckOrdersPage,
  mints: async () => (await import('./pages/operator/mints-page.tsx')).StuckMintsPage,
  audit: async () => (await import('./pages/operator/server-audit-page.tsx')).ServerAuditPage,
}

/** The pages of operators of a connected facilitator. */
export const facilitatorPages: Pages<LoadPage> = {
  health: async () => (await import('./pages/facilitator/health-page.tsx')).FacilitatorHealthPage,
  accounts: async () => (await import('./pages/facilitator/accounts-page.tsx')).AccountsPage,
  'accounts/$accountId': async () => (await import('./pages/facilitator/account-page.tsx')).AccountPage,
  settlements: async () => (await import('./pages/facilitator/settlements-page.tsx')).SettlementsPage,
  'settlements/$settlementId': async () =>
    (await import('./pages/facilitator/settlement-page.tsx')).SettlementPage,
  channels: async () => (await import('./pages/facilitator/channels-page.tsx')).ChannelsPage,
  grants: async () => (await import('./pages/facilitator/grants-page.tsx')).GrantsPage,
  reverts: async () => (await import('./pages/facilitator/reverts-page.tsx')).RevertsPage,
  ledger: async () => (await import('./pages/facilitator/ledger-page.tsx')).LedgerPage,
}

/** Whether an address is of the page of a facilitator's account, which has a key instead of a session. */
export const hasNoSession = (pathname: string): boolean => pathname.endsWith('/console/facilitator-account')

/** A page with what it needs first. */
type FoundPage = Pick<ProjectPage, 'load' | 'firstReads'> & Partial<Pick<ProjectPage, 'area'>>

const toFound = (pages: Pages<LoadPage>, parent: string): readonly (readonly [string, FoundPage])[] =>
  Object.entries(pages).map(([path, load]) => [`${parent}${path}`, { load }])

/** Lists every page with its address below that of the console. */
function listPages(): readonly (readonly [address: string, page: FoundPage])[] {
  return [
    ...toFound(ownPages, ''),
    ...Object.entries(projectPages).map(([path, page]) => [`p/$projectId/${path}`, page] as const),
    ...toFound(operatorPages, 'operator/'),
    ...toFound(facilitatorPages, 'operator/facilitator/'),
  ]
}

/**
 * Finds the page of an address, with the project that the address names. Undefined for an address that has no
 * page of its own.
 *
 * @param pathname With that of the console, such as `/console/p/1/orders`.
 */
export function findPage(
  pathname: string,
): (FoundPage & { readonly projectId: string | undefined }) | undefined {
  const [, ...segments] = pathname.split('/').filter((segment) => segment !== '')
  for (const [address, page] of listPages()) {
    const pattern = address.split('/')
    const isPage =
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith('$') || part === segments[index])
    if (isPage) return { ...page, projectId: pattern[1] === '$projectId' ? segments[1] : undefined }
  }
  return undefined
}
