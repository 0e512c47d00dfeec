import type { ProjectMembership, Session } from '@mintmark/admin'
import type { IconName } from '../components/icon.tsx'
import { t } from '../language/translate.ts'
import { type Area, mayOpen } from './areas.ts'

/** A page that the navigation leads to. */
export interface PageItem {
  readonly label: string
  readonly icon: IconName
  /** Its address: one of `pages.ts`. */
  readonly path: string
}

/** A page of a project. Its address is below that of the project. */
export interface NavigationItem extends PageItem {
  readonly path: Area
  /** The letter that leads to the page after `g`. */
  readonly letter?: string
  /** Whether the bar at the bottom of phones has the page. At most four do, for each role. */
  readonly isOnPhoneBar?: boolean
}

/** Pages with a common title. */
export interface PageGroup<Item = PageItem> {
  readonly label: string
  readonly items: readonly Item[]
}
export type NavigationGroup = PageGroup<NavigationItem>

/** The navigation within a project, in order. A new page needs an entry in `pages.ts` and an item here. */
export const navigation: readonly NavigationGroup[] = [
  {
    label: t('Work'),
    items: [
      { path: 'overview', label: t('Home'), icon: 'overview', letter: 'o', isOnPhoneBar: true },
      { path: 'reports', label: t('Reports'), icon: 'report', letter: 'b' },
    ],
  },
  {
    label: t('Cards'),
    items: [
      { path: 'scanner', label: t('Scanner'), icon: 'scanner', letter: 's', isOnPhoneBar: true },
      { path: 'cards', label: t('Cards'), icon: 'card', letter: 'c', isOnPhoneBar: true },
      { path: 'campaigns', label: t('Campaigns'), icon: 'campaign' },
      { path: 'stores', label: t('Stores'), icon: 'store' },
    ],
  },
  {
    label: t('Sales'),
    items: [
      { path: 'orders', label: t('Orders'), icon: 'orders', letter: 'r', isOnPhoneBar: true },
      { path: 'market', label: t('Market'), icon: 'market', letter: 'm' },
      { path: 'minting', label: t('Lazy minting'), icon: 'minting', letter: 'l' },
    ],
  },
  {
    label: t('Tokens'),
    items: [
      { path: 'contracts', label: t('Contracts'), icon: 'contract', letter: 't' },
      { path: 'nfts', label: 'NFTs', icon: 'nft', letter: 'n' },
      { path: 'wallets', label: t('Wallets'), icon: 'wallet', letter: 'w' },
    ],
  },
  {
    label: t('Developers'),
    items: [
      { path: 'events', label: t('Events'), icon: 'event', letter: 'e' },
      { path: 'webhooks', label: t('Webhooks'), icon: 'webhook', letter: 'h' },
      { path: 'explorer', label: t('API explorer'), icon: 'explorer', letter: 'x' },
      { path: 'keys', label: t('API keys'), icon: 'key', letter: 'k' },
    ],
  },
  {
    label: t('Settings'),
    items: [
      { path: 'people', label: t('People'), icon: 'people', letter: 'p' },
      { path: 'audit', label: t('Audit log'), icon: 'audit', letter: 'a' },
    ],
  },
]

/** The pages of operators, in order. A new page needs an entry in `pages.ts` and an item here. */
const operatorNavigation: readonly PageItem[] = [
  { label: t('Health'), icon: 'health', path: 'operator/health' },
  { label: t('Projects'), icon: 'project', path: 'operator/projects' },
  { label: t('Operators'), icon: 'people', path: 'operator/people' },
  { label: t('Stuck orders'), icon: 'orders', path: 'operator/orders' },
  { label: t('Stuck mints'), icon: 'minting', path: 'operator/mints' },
  { label: t('Server audit log'), icon: 'audit', path: 'operator/audit' },
]

/**
 * The pages of operators of a connected facilitator, in order. A new page needs an entry in `pages.ts` and an
 * item here.
 */
const facilitatorNavigation: readonly PageItem[] = [
  { label: t('Facilitator health'), icon: 'health', path: 'operator/facilitator/health' },
  { label: t('Accounts'), icon: 'account', path: 'operator/facilitator/accounts' },
  { label: t('Settlements'), icon: 'facilitator', path: 'operator/facilitator/settlements' },
  { label: t('Channels'), icon: 'wallet', path: 'operator/facilitator/channels' },
  { label: t('Sponsored approvals'), icon: 'event', path: 'operator/facilitator/grants' },
  { label: t('Reverts'), icon: 'warning', path: 'operator/facilitator/reverts' },
  { label: t('Ledger'), icon: 'audit', path: 'operator/facilitator/ledger' },
]

/** Returns the navigation that a role may use, without empty groups. */
export function listNavigation(role: ProjectMembership['role'] | undefined): readonly NavigationGroup[] {
  return navigation
    .map(({ label, items }) => ({ label, items: items.filter(({ path }) => mayOpen(role, path)) }))
    .filter(({ items }) => items.length > 0)
}

type Operates = Pick<Session, 'isOperator' | 'hasFacilitator'>

/** Returns the navigation of a person who operates the server, or the connected facilitator. */
export function listOperatorNavigation({ isOperator, hasFacilitator }: Operates): readonly PageGroup[] {
  if (!isOperator) return []
  const facilitator = { label: t('Facilitator'), items: facilitatorNavigation }
  return [{ label: t('Operator'), items: operatorNavigation }, ...(hasFacilitator ? [facilitator] : [])]
}

/** Finds the page that a role sees first. Undefined if it may open none. */
export function findFirstPath(role: ProjectMembership['role'] | undefined): string | undefined {
  return listNavigation(role)[0]?.items[0]?.path
}

/** Finds the pages whose title has a text, of those that the person may use. */
export function findPages(
  text: string,
  session: Operates,
  { projectId, role }: Pick<ProjectMembership, 'projectId' | 'role'>,
): readonly PageItem[] {
  const ofProject = listNavigation(role).flatMap(({ items }) => items)
  const pages = [
    ...ofProject.map((item) => ({ ...item, path: `p/${projectId}/${item.path}` })),
    ...listOperatorNavigation(session).flatMap(({ items }) => items),
  ]
  return pages.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
}
