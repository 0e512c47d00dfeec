import { Role } from '@mintmark/admin'
import { expect, it } from 'vitest'
import { type Area, mayOpen } from './areas.ts'

const areas: readonly Area[] = [
  ...([
    'overview',
    'reports',
    'cards',
    'scanner',
    'campaigns',
    'stores',
    'contracts',
    'nfts',
    'minting',
    'market',
    'orders',
  ] as const),
  ...(['wallets', 'events', 'webhooks', 'keys', 'people', 'audit', 'explorer'] as const),
]
const open = (role: string) => areas.filter((area) => mayOpen(role, area))

it('shows every area to owners and auditors', () => {
  expect(open(Role.OWNER)).toEqual(areas)
  expect(open(Role.AUDITOR)).toEqual(areas)
})

it('hides keys, people and the audit log from managers, and nothing else', () => {
  const hidden = areas.filter((area) => !open(Role.MANAGER).includes(area))
  expect(hidden).toEqual(['keys', 'people', 'audit'])
})

it('shows staff the scanner and the cards only', () => {
  expect(open(Role.STAFF)).toEqual(['cards', 'scanner'])
})

it('shows nothing to a role that a newer server added, and to nobody', () => {
  expect(open('CURATOR')).toEqual([])
  expect(mayOpen(undefined, 'overview')).toBe(false)
})
