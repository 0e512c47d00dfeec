import type { ProjectMembership } from '@mintmark/admin'

/** The parts of the console within a project. */
export type Area =
  | 'overview'
  | 'reports'
  | 'cards'
  | 'scanner'
  | 'campaigns'
  | 'stores'
  | 'contracts'
  | 'nfts'
  | 'minting'
  | 'market'
  | 'orders'
  | 'wallets'
  | 'events'
  | 'webhooks'
  | 'keys'
  | 'people'
  | 'audit'
  | 'explorer'

/** Whether a role may read the events of a project, which refresh the pages. */
export function mayFollowEvents(role: ProjectMembership['role'] | undefined): boolean {
  return mayOpen(role, 'events')
}

const managedByOwners: readonly Area[] = ['keys', 'people', 'audit']
const usedByStaff: readonly Area[] = ['scanner', 'cards']

/** Whether a role may see an area. The server enforces it; the console only hides what would be refused. */
export function mayOpen(role: ProjectMembership['role'] | undefined, area: Area): boolean {
  // The roles are the values of `Role`, whose package would make the first script large.
  switch (role) {
    case 'OWNER':
    case 'AUDITOR':
      return true
    case 'MANAGER':
      return !managedByOwners.includes(area)
    case 'STAFF':
      return usedByStaff.includes(area)
    default:
      return false
  }
}
