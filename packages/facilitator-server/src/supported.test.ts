import { expect, it } from 'vitest'
import { listSupported, type SupportedParts } from './supported.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const parts: SupportedParts = {
  networks: new Set(['eip155:84532', SOLANA]),
  readable: new Set(['eip155:84532']),
  facilitators: new Set(['0xa1', '0xb2', '0xc3']),
  feePayers: new Set(['first', 'second', 'third']),
  approvalChains: new Set(),
  retired: new Set(),
}
const accounts = Array.from({ length: 300 }, (_, index) => index + 1)

/** Returns the signer and the fee payer that an account is offered. */
function readOffers(changes: Partial<SupportedParts>, accountId: number | undefined) {
  const { kinds } = listSupported({ ...parts, ...changes }, accountId)
  return [
    kinds.find(({ scheme }) => scheme === 'upto')?.extra?.facilitatorAddress,
    kinds.find(({ network }) => network === SOLANA)?.extra?.feePayer,
  ]
}

it('the signers that are offered have about the same number of accounts each, for upto and on Solana', () => {
  for (const place of [0, 1]) {
    const counts = Map.groupBy(accounts, (id) => readOffers({}, id)[place])
    expect(counts.size).toBe(3)
    for (const ids of counts.values()) expect(ids.length).toBeGreaterThan(60)
  }
})

it('the signers that are offered do not depend on the order of the settings', () => {
  const reversed = {
    facilitators: new Set([...parts.facilitators].reverse()),
    feePayers: new Set([...parts.feePayers].reverse()),
  }
  for (const id of [undefined, ...accounts]) expect(readOffers(reversed, id)).toEqual(readOffers({}, id))
})

it('the signers that are offered are not those that are retired, which are still listed as signers', () => {
  const retired = new Set(['0xb2', 'first'])
  for (const id of accounts) {
    const [signer, feePayer] = readOffers({ retired }, id)
    expect(['0xa1', '0xc3']).toContain(signer)
    expect(['second', 'third']).toContain(feePayer)
  }
  expect(listSupported({ ...parts, retired }, 1).signers).toEqual({
    'eip155:*': ['0xa1', '0xb2', '0xc3'],
    'solana:*': ['first', 'second', 'third'],
  })
})

it('the signers that are offered stay the same for most accounts when one is added', () => {
  const more = { facilitators: new Set([...parts.facilitators, '0xd4']) }
  for (const id of accounts) {
    const [after] = readOffers(more, id)
    expect([readOffers({}, id)[0], '0xd4']).toContain(after)
  }
  expect(accounts.filter((id) => readOffers(more, id)[0] === '0xd4').length).toBeLessThan(120)
})
