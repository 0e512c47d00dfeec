import { openChains } from '@mintmark/evm-reader'
import { expect, it } from 'vitest'
import { ChainUnavailableError, createChainAccess } from './chain-access.ts'

it.each([
  ['an error of a node', 'the chain could not be read', new Error('header not found')],
  [
    'a failed connection',
    'the chain could not be read',
    new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
  ],
  [
    'a mistake in this program',
    'a response of the chain could not be processed',
    new RangeError('Cannot convert to a BigInt'),
  ],
])('reports %s as what it is, and nothing of the chain is known', async (_, message, error) => {
  const messages: string[] = []
  const chains = openChains([{ id: 31_337, rpcUrls: ['http://127.0.0.1:1'], finality: { depth: 1 } }])
  const { read } = createChainAccess(chains, {
    warn: (_fields: object, text?: string) => void messages.push(text ?? ''),
  })
  await expect(read('31337', () => Promise.reject(error))).rejects.toThrow(ChainUnavailableError)
  expect(messages).toEqual([message])
})
