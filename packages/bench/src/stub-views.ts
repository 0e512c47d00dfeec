import { tokenDomain } from '@mintmark/devkit/chain/authorization'
import { domainSeparator, encodeAbiParameters, toFunctionSelector } from 'viem'

export const word = (value: number) => value.toString(16).padStart(64, '0')
const encodeText = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]).slice(2)
const BALANCE = 1_000_000_000_000
const balanceOf = toFunctionSelector('balanceOf(address)').slice(2)
const views = new Map(
  Object.entries({
    'authorizationState(address,bytes32)': word(0),
    'balanceOf(address)': word(BALANCE),
    'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)': '',
    'DOMAIN_SEPARATOR()': domainSeparator({ domain: tokenDomain }).slice(2),
    'name()': encodeText(tokenDomain.name),
    'version()': encodeText(tokenDomain.version),
    // Payment channels: a balance of which nothing was claimed, and no withdrawal.
    'channels(bytes32)': word(1_000_000_000_000) + word(0),
    'pendingWithdrawals(bytes32)': word(0) + word(0),
    'refundNonce(bytes32)': word(0),
    'getBlockNumber()': word(1),
    'getCurrentBlockTimestamp()': word(Math.floor(Date.now() / 1000)),
  }).map(([signature, result]) => [toFunctionSelector(signature).slice(2), result]),
)

/**
 * Executes reads of a stubbed chain: every payer has funds, every nonce is unused, and a transfer raises all
 * balances that are read after it. The result of
 * Multicall3's `tryAggregate(bool,(address,bytes)[])` is encoded by hand: viem's coder would dominate the
 * measurement.
 */
export function aggregate(data: string): string {
  const digits = data.slice(10)
  const number = (at: number) => Number.parseInt(digits.slice(at, at + 64), 16)
  const list = number(64) * 2
  const count = number(list)
  let [offsets, results] = ['', '']
  let transfers = 0
  for (let index = 0; index < count; index++) {
    const call = list + 64 + number(list + 64 + index * 64) * 2
    const bytes = call + number(call + 64) * 2
    const selector = digits.slice(bytes + 64, bytes + 72)
    const result = selector === balanceOf ? word(BALANCE * (transfers + 1)) : views.get(selector)
    if (result === '') transfers += 1
    if (result === undefined) throw new Error('The stubbed chain does not have this view. Add it to `views`')
    offsets += word(count * 32 + results.length / 2)
    results += word(1) + word(64) + word(result.length / 2) + result
  }
  return `0x${word(32)}${word(count)}${offsets}${results}`
}
