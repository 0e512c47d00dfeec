import { expect, it } from 'vitest'
import { toMintCall } from './abi.ts'

const address = `0x${'a'.repeat(40)}`
const domain = { name: 'SignatureMintERC721', version: '1', chainId: 1, verifyingContract: address }
const terms = { to: address, royaltyRecipient: address, royaltyBps: '0', primarySaleRecipient: address }
const times = { validityStartTimestamp: '1', validityEndTimestamp: '2' }
const price = { uri: '', quantity: '3', pricePerToken: '9007199254740993', uid: `0x${'1'.repeat(64)}` }

it.each([
  [
    'the whole price in the native token',
    '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
    27_021_597_764_222_979n,
  ],
  ['no native token for a price in an ERC-20', address, 0n],
])('the call of a mint sends %s', (_, currency, value) => {
  const payload = { ...terms, ...times, ...price, currency }
  expect(toMintCall({ domain, payload, signature: '0x12' })).toMatchObject({ address, value })
})
