import type { PresalePhase } from '@mintmark/contracts'
import { expect, it } from 'vitest'
import { getPhaseState, insertPhase } from './phases.ts'

const phase = (name: string, startTime: string, endTime: string): PresalePhase => ({
  id: 1,
  name,
  startTime,
  endTime,
  claimed: 3,
  price: '5',
  payTokenAddress: '',
  pricedBy: 'CHAIN',
  maxClaimable: 10,
  limitPerWallet: 2,
  whitelistMode: 'LIST',
  merkleRoot: '',
})
const early = phase('early', '2026-01-01T00:00:00Z', '2026-01-05T00:00:00Z')
const open = phase('public', '2026-01-05T00:00:00Z', '2036-01-05T00:00:00Z')

it('is upcoming before its start, open until its end, and then ended', () => {
  const at = (time: string) => getPhaseState(early, Date.parse(time))
  expect(at('2025-12-31T23:59:59.999Z')).toBe('upcoming')
  expect(at('2026-01-01T00:00:00Z')).toBe('open')
  expect(at('2026-01-05T00:00:00Z')).toBe('ended')
})

it('adds a phase in the order of starts, and ends the one before it', () => {
  const late = { name: 'late', startTime: '2026-02-01T00:00:00Z', price: '0' }
  const { phases, index } = insertPhase([early, open], late, undefined)
  expect(phases.map(({ name }) => name)).toEqual(['early', 'public', 'late'])
  expect(index).toBe(2)
  expect(phases[1]?.endTime).toBe(late.startTime)
  expect(phases[0]?.endTime).toBe(early.endTime)
})

it('replaces a phase and keeps all that the others have', () => {
  const changed = { name: 'early', startTime: '2026-01-02T00:00:00Z', price: '7' }
  const { phases, index } = insertPhase([early, open], changed, 'early')
  expect(index).toBe(0)
  expect(phases[0]).toBe(changed)
  expect(phases[1]).toMatchObject({
    name: 'public',
    limitPerWallet: 2,
    maxClaimable: 10,
    whitelistMode: 'LIST',
  })
  expect(phases[1]).not.toHaveProperty('claimed')
})
