import { expect, it } from 'vitest'
import { formatAssetValue, parseAssetValue } from './sold-token.ts'

const token = { nftAddress: `0x${'a'.repeat(40)}`, seller: `0x${'b'.repeat(40)}`, nftId: 'a/b' }

it('returns the token that was formatted, also with a slash in its id', () => {
  expect(parseAssetValue(formatAssetValue(token))).toEqual(token)
})

it.each(['', 'other', `${token.nftAddress}/1`, `${token.nftAddress}/${token.seller}/`])(
  'reads no token from %j',
  (text) => {
    expect(parseAssetValue(text)).toBeUndefined()
  },
)
