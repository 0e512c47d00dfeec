/** A program as a product team would write it: one client, one call. */
export interface Program {
  /** The folder below `packages/`. */
  readonly folder: string
  /** The group as the package's main entry exports it. */
  readonly group: string
  /** The group's own entry. */
  readonly subpath: string
  readonly operation: string
  readonly client: 'createGateway' | 'createFacilitator'
}

const gateway = 'createGateway'

/** One program for each stated operation, and for an operation of the other groups. */
export const programs: readonly Program[] = [
  { folder: 'wallet', group: 'walletInfo', subpath: 'wallet-info', operation: 'get', client: gateway },
  { folder: 'wallet', group: 'addressBook', subpath: 'address-book', operation: 'add', client: gateway },
  { folder: 'wallet', group: 'fans', subpath: 'fans', operation: 'add', client: gateway },
  { folder: 'wallet', group: 'follows', subpath: 'follows', operation: 'add', client: gateway },
  { folder: 'wallet', group: 'words', subpath: 'words', operation: 'add', client: gateway },
  { folder: 'orders', group: 'orders', subpath: 'orders', operation: 'payOrder', client: gateway },
  {
    folder: 'market',
    group: 'commonSales',
    subpath: 'common-sales',
    operation: 'putOnShelf',
    client: gateway,
  },
  {
    folder: 'cards',
    group: 'promoCodeCards',
    subpath: 'promo-code-cards',
    operation: 'get',
    client: gateway,
  },
  {
    folder: 'cards',
    group: 'promoCodeCards',
    subpath: 'promo-code-cards',
    operation: 'create',
    client: gateway,
  },
  { folder: 'cards', group: 'eventCards', subpath: 'event-cards', operation: 'create', client: gateway },
  {
    folder: 'cards',
    group: 'commemorativeCards',
    subpath: 'commemorative-cards',
    operation: 'listByCreator',
    client: gateway,
  },
  {
    folder: 'cards',
    group: 'membershipCards',
    subpath: 'membership-cards',
    operation: 'createVerification',
    client: gateway,
  },
  { folder: 'contracts', group: 'contracts', subpath: 'contracts', operation: 'get', client: gateway },
  { folder: 'contracts', group: 'nfts', subpath: 'nfts', operation: 'get', client: gateway },
  { folder: 'contracts', group: 'assets', subpath: 'assets', operation: 'get', client: gateway },
  {
    folder: 'contracts',
    group: 'lazyMinting',
    subpath: 'lazy-minting',
    operation: 'getNft',
    client: gateway,
  },
  {
    folder: 'market',
    group: 'productCards',
    subpath: 'product-cards',
    operation: 'addNftInfo',
    client: gateway,
  },
  {
    folder: 'facilitator',
    group: 'payments',
    subpath: 'payments',
    operation: 'settle',
    client: 'createFacilitator',
  },
]

/** The program's text, importing the operation from the package's main entry or from the group's own. */
export function sourceOf(
  { folder, group, subpath, operation, client }: Program,
  from: 'barrel' | 'subpath',
): string {
  const [imported, called] =
    from === 'barrel'
      ? [`{ ${group} } from '@mintmark/${folder}'`, `${group}.${operation}`]
      : [`{ ${operation} } from '@mintmark/${folder}/${subpath}'`, operation]
  return `
    import { ${client} } from '@mintmark/transport'
    import ${imported}
    const client = ${client}(globalThis.settings)
    globalThis.answer = ${called}(client, globalThis.input)
  `
}
