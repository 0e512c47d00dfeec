import { toNetwork } from '@mintmark/evm-reader'
import { expect, it } from 'vitest'
import { allowAssets, allowFactories } from './allowed-assets.ts'
import { knownAssets, version1Networks } from './known-chains.ts'

it('allows the known USDC of every chain, and what is added', () => {
  const added = '0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD'
  const allowed = allowAssets(`84532=${added}`)
  expect([...knownAssets].every(([id, { address }]) => allowed.has(`${toNetwork(id)}/${address}`))).toBe(true)
  expect(allowed.has(`eip155:84532/${added.toLowerCase()}`)).toBe(true)
  expect(() => allowAssets('84532=0x12')).toThrow(/^ALLOWED_ASSETS: /)
})

it('allows no factory of wallets by default, and those of the setting by chain', () => {
  expect(allowFactories().size).toBe(0)
  const factory = '0xABCDEFabcdefABCDEFabcdefABCDEFabcdefABCD'
  expect([...allowFactories(`8453=${factory}`)]).toEqual([`eip155:8453/${factory.toLowerCase()}`])
  expect(() => allowFactories(factory)).toThrow(/^WALLET_FACTORIES: /)
})

it('knows version 1 names for chains and no name twice', () => {
  expect(version1Networks.get('base-sepolia')).toBe(84532)
  expect(new Set(version1Networks.values()).size).toBe(version1Networks.size)
})
