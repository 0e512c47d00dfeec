import { encodeErrorResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { findRpcError, getRevertReason, toRpcError } from './rpc-error.ts'

const HOSTILE = `a\0b\n${'c'.repeat(10_000)}`
const CLEAN = /^a b c{900,1100}…$/

test('the reason that a contract reverts with has no control characters and a limited length', () => {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), args: [HOSTILE] })
  expect(getRevertReason({ code: 3, message: 'execution reverted', data })).toMatch(CLEAN)
})

test('the message of a node has no control characters and a limited length', () => {
  expect(toRpcError({ code: -32000, message: HOSTILE }).message).toMatch(CLEAN)
  const error = Object.assign(new Error('viem'), { code: -32000, details: HOSTILE })
  expect(findRpcError(new Error('request', { cause: error }))?.message).toMatch(CLEAN)
  expect(toRpcError({ code: -32000, message: 'nonce too low: next nonce 5' }).message).toBe(
    'nonce too low: next nonce 5',
  )
})
