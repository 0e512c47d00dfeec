import { readEnvironment } from '@mintmark/server-kit'
import { expect, it, vi } from 'vitest'
import { readConfiguration } from '../../../configuration.ts'
import { createMaxFees } from './default-max-fees.ts'

const readMaxFees = (setting: string, chains: readonly number[]) => {
  const env = readEnvironment({
    CHAINS: chains.map((id) => `${id}=http://127.0.0.1:1`).join(','),
    FACILITATOR_SIGNER_KEYS: `0x${'01'.repeat(32)}`,
    TREASURY_CHAIN: '1',
    TREASURY_ADDRESS: `0x${'02'.repeat(20)}`,
    MAX_FEE_PER_GAS: setting,
  })
  const warn = vi.fn()
  const maxFees = createMaxFees(readConfiguration(env).maxFeePerGas, chains, { warn })
  return { maxFees, warned: warn.mock.calls.map(([fields]) => fields) }
}

it('offers at most the default fee of a known chain, and the setting instead of it', () => {
  const { maxFees } = readMaxFees('8453=7', [1, 8453])
  expect(maxFees(8453)).toBe(7n)
  expect(maxFees(1)).toBe(100_000_000_000n)
})

it('warns of a chain that has neither a setting nor a default, unless it is a test network', () => {
  const { maxFees, warned } = readMaxFees('', [8453, 84532, 31337])
  expect(maxFees(31337)).toBeUndefined()
  expect(warned).toEqual([{ chain: 31337 }])
  expect(readMaxFees('31337=5', [31337]).warned).toEqual([])
})
