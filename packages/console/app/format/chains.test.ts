import { expect, it } from 'vitest'
import { findExplorerLink, formatChain, getNativeSymbol } from './chains.ts'

it('names known chains, and shows the id of others', () => {
  expect([formatChain('8453'), formatChain('4711')]).toEqual(['Base', 'Chain 4711'])
  expect([getNativeSymbol('137'), getNativeSymbol('4711')]).toEqual(['POL', 'native'])
})

it('links to the explorer of chains that have one', () => {
  expect(findExplorerLink('1', 'tx', '0xab')).toBe('https://etherscan.io/tx/0xab')
  expect(findExplorerLink('31337', 'tx', '0xab')).toBeUndefined()
})
