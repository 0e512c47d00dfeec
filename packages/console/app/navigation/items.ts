import type { ProjectMembership } from '@mintmark/admin'
import type { IconName } from '../components/icon.tsx'
import { navigationTexts } from '../texts/shell.ts'
import { type Area, mayOpen } from './areas.ts'

const { pages } = navigationTexts

/** A page in the navigation. */
export interface NavigationItem {
  readonly area: Area
  readonly label: string
  readonly icon: IconName
  /** The address below that of the project: one of `pages.ts`. */
  readonly path: string
  /** The letter that leads to the page after `g`. */
  readonly letter?: string
  /** Whether the bar at the bottom of phones has the page. At most four do, for each role. */
  readonly isOnPhoneBar?: boolean
}

/** Pages with a common title. */
export interface NavigationGroup {
  readonly label: string
  readonly items: readonly NavigationItem[]
}

/** The navigation within a project, in order. A new page needs an entry in `pages.ts` and an item here. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: 'Work',
    items: [
      {
        area: 'overview',
        label: pages.overview,
        icon: 'overview',
        path: 'overview',
        letter: 'o',
        isOnPhoneBar: true,
      },
    ],
  },
  {
    label: 'Cards',
    items: [
      {
        area: 'scanner',
        label: pages.scanner,
        icon: 'scanner',
        path: 'scanner',
        letter: 's',
        isOnPhoneBar: true,
      },
      { area: 'cards', label: pages.cards, icon: 'card', path: 'cards', letter: 'c', isOnPhoneBar: true },
      { area: 'campaigns', label: pages.campaigns, icon: 'campaign', path: 'campaigns' },
      { area: 'stores', label: pages.stores, icon: 'store', path: 'stores' },
    ],
  },
  {
    label: 'Sales',
    items: [
      {
        area: 'orders',
        label: pages.orders,
        icon: 'orders',
        path: 'orders',
        letter: 'r',
        isOnPhoneBar: true,
      },
      {
        area: 'market',
        label: pages.market,
        icon: 'market',
        path: 'market',
        letter: 'm',
      },
      { area: 'minting', label: pages.minting, icon: 'minting', path: 'minting', letter: 'l' },
    ],
  },
  {
    label: 'Tokens',
    items: [
      { area: 'contracts', label: pages.contracts, icon: 'contract', path: 'contracts', letter: 't' },
      { area: 'nfts', label: pages.nfts, icon: 'nft', path: 'nfts', letter: 'n' },
      { area: 'wallets', label: pages.wallets, icon: 'wallet', path: 'wallets', letter: 'w' },
    ],
  },
  {
    label: 'Developers',
    items: [
      { area: 'events', label: pages.events, icon: 'event', path: 'events', letter: 'e' },
      { area: 'webhooks', label: pages.webhooks, icon: 'webhook', path: 'webhooks', letter: 'h' },
      { area: 'explorer', label: pages.explorer, icon: 'explorer', path: 'explorer', letter: 'x' },
      { area: 'keys', label: pages.keys, icon: 'key', path: 'keys', letter: 'k' },
    ],
  },
  {
    label: 'Settings',
    items: [
      { area: 'people', label: pages.people, icon: 'people', path: 'people', letter: 'p' },
      { area: 'audit', label: pages.audit, icon: 'audit', path: 'audit', letter: 'a' },
    ],
  },
]

/** A page for those who operate the server. */
export interface OperatorItem {
  readonly label: string
  readonly icon: IconName
  /** The address below that of the console: one of `pages.ts`. */
  readonly path: string
}

/** The pages of operators, in order. A new page needs an entry in `pages.ts` and an item here. */
export const operatorNavigation: readonly OperatorItem[] = [
  { label: pages.operatorHealth, icon: 'health', path: 'operator/health' },
  { label: pages.operatorProjects, icon: 'project', path: 'operator/projects' },
  { label: pages.operatorPeople, icon: 'people', path: 'operator/people' },
  { label: pages.operatorOrders, icon: 'orders', path: 'operator/orders' },
  { label: pages.operatorMints, icon: 'minting', path: 'operator/mints' },
  { label: pages.operatorAudit, icon: 'audit', path: 'operator/audit' },
]

/**
 * The pages of operators of a connected facilitator, in order. A new page needs an entry in `pages.ts` and an
 * item here.
 */
export const facilitatorNavigation: readonly OperatorItem[] = [
  { label: pages.facilitatorHealth, icon: 'health', path: 'operator/facilitator/health' },
  { label: pages.facilitatorAccounts, icon: 'account', path: 'operator/facilitator/accounts' },
  { label: pages.facilitatorSettlements, icon: 'facilitator', path: 'operator/facilitator/settlements' },
  { label: pages.facilitatorChannels, icon: 'wallet', path: 'operator/facilitator/channels' },
  { label: pages.facilitatorGrants, icon: 'event', path: 'operator/facilitator/grants' },
  { label: pages.facilitatorReverts, icon: 'warning', path: 'operator/facilitator/reverts' },
  { label: pages.facilitatorLedger, icon: 'audit', path: 'operator/facilitator/ledger' },
]

/** Returns the navigation that a role may use, without empty groups. */
export function listNavigation(role: ProjectMembership['role'] | undefined): readonly NavigationGroup[] {
  return navigation
    .map(({ label, items }) => ({ label, items: items.filter(({ area }) => mayOpen(role, area)) }))
    .filter(({ items }) => items.length > 0)
}

/** Finds the page that a role sees first. Undefined if it may open none. */
export function findFirstPath(role: ProjectMembership['role'] | undefined): string | undefined {
  return listNavigation(role)[0]?.items[0]?.path
}
