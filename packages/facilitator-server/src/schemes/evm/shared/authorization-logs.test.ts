import { expect, it } from 'vitest'
import { addressTopic, type Log, transferTopic } from '../../../chains/evm/reads/transfer.ts'
import type { LogEvidence } from '../../../chains/evm/reads/transfer-method.ts'
import { authorizationTopics, evaluateAuthorization } from './authorization-logs.ts'

const asset = '0x00000000000000000000000000000000000000aa'
const payer = '0x00000000000000000000000000000000000000bb'
const payTo = '0x00000000000000000000000000000000000000cc'
const collector = '0x00000000000000000000000000000000000000dd'
const nonce = (digit: number) => `0x${String(digit).repeat(64)}`
const payment = { asset, payer, payTo, amount: 5n, nonce: nonce(1) }

type LogPart = Omit<Log, 'logIndex'>
const log = (topics: string[], data = '0x'): LogPart => ({ address: asset, topics, data })
const word = (amount: bigint) => `0x${amount.toString(16).padStart(64, '0')}`
const use = (of = 1, from = payer) => log([authorizationTopics.used, addressTopic(from), nonce(of)])
const transfer = (amount = 5n, to = payTo, from = payer) =>
  log([transferTopic, addressTopic(from), addressTopic(to)], word(amount))
const paid = transfer()
const fee = transfer(1n, collector)
/** Another event of the token, such as an approval or that of a hook. */
const noise = log([nonce(9), addressTopic(payer), addressTopic(payTo)], word(5n))

const toLogs = (parts: readonly LogPart[]): Log[] => parts.map((part, logIndex) => ({ ...part, logIndex }))

// What the logs show in a transaction of ours, and in one of another party.
it.each<[string, LogPart[], LogEvidence, LogEvidence]>([
  ['a use and its transfer', [use(), paid], 'paid', 'paid'],
  ['a transfer before its use', [paid, use()], 'paid', 'paid'],
  ['other events of the token between them', [use(), noise, noise, paid], 'paid', 'paid'],
  ['other events of the token before and after them', [noise, paid, noise, use(), noise], 'paid', 'paid'],
  ['events of other contracts between them', [use(), { ...fee, address: payTo }, paid], 'paid', 'paid'],
  ['transfers of other payers between them', [use(), transfer(5n, payTo, collector), paid], 'paid', 'paid'],
  ['a use of another payer between them', [use(), use(2, payTo), paid], 'paid', 'paid'],
  ['a fee that the payer pays on top', [use(), fee, paid], 'paid', 'ambiguous'],
  ['a fee after a transfer before its use', [paid, fee, use()], 'paid', 'ambiguous'],
  [
    'a use for another recipient beside another payment',
    [use(), transfer(5n, payer), paid],
    'paid',
    'ambiguous',
  ],
  [
    'another payment before a use for another recipient',
    [paid, use(), transfer(5n, payer)],
    'paid',
    'ambiguous',
  ],
  ['a transfer of another token', [use(), { ...paid, address: payTo }], 'unpaid', 'unpaid'],
  ['less than the amount and a fee', [use(), transfer(4n), fee], 'unpaid', 'unpaid'],
  ['more than the amount', [use(), transfer(6n)], 'unpaid', 'unpaid'],
  ['a transfer to another recipient', [use(), transfer(5n, collector)], 'unpaid', 'unpaid'],
  ['a use without a transfer', [use(), noise], 'unpaid', 'unpaid'],
  ['a transfer without a use', [paid], 'absent', 'absent'],
  ['a use of another nonce', [use(2), paid], 'absent', 'absent'],
  ['no events', [], 'absent', 'absent'],
  ['the transfer of an earlier use', [use(2), paid, use(), transfer(6n)], 'unpaid', 'unpaid'],
  ['the transfer of a later use', [use(), transfer(6n), use(2), paid], 'unpaid', 'unpaid'],
  [
    'the transfer of a later use, in a token that transfers first',
    [transfer(0n), use(), paid, use(2)],
    'unpaid',
    'unpaid',
  ],
  [
    'the transfer of an earlier use, in a token that transfers first',
    [paid, use(2), transfer(0n), use()],
    'unpaid',
    'unpaid',
  ],
  ['equal payments after each other', [use(2), paid, use(), paid, use(3), paid], 'paid', 'paid'],
  [
    'equal payments in a token that transfers first',
    [paid, use(2), paid, use(), paid, use(3)],
    'paid',
    'paid',
  ],
  [
    'equal payments with other events anywhere',
    [noise, use(2), noise, paid, noise, use(), paid, noise],
    'paid',
    'paid',
  ],
  ['equal payments with fees on top', [use(2), fee, paid, use(), fee, paid], 'paid', 'ambiguous'],
  ['a use beside one for another recipient', [use(2), transfer(5n, payer), use(), paid], 'paid', 'paid'],
  ['one transfer between two uses', [use(), paid, use(2)], 'ambiguous', 'ambiguous'],
  ['two uses before one transfer', [use(2), use(), paid], 'ambiguous', 'ambiguous'],
  [
    'transfers on both sides of which one is another',
    [fee, use(), paid, use(2), paid],
    'ambiguous',
    'ambiguous',
  ],
  ['transfers on both sides that are all the payment', [paid, use(), paid, use(2), paid], 'paid', 'paid'],
  ['two uses without a transfer', [use(), use(2)], 'unpaid', 'unpaid'],
])('judges %s', (_, parts, own, foreign) => {
  const logs = toLogs(parts)
  const evaluate = (isOwn: boolean) => evaluateAuthorization(logs, payment, isOwn).kind
  expect([evaluate(true), evaluate(false)]).toEqual([own, foreign])
})

it('orders the logs of a transaction by their index', () => {
  const logs = toLogs([use(2), transfer(6n), use(), paid]).toReversed()
  expect(evaluateAuthorization(logs, payment, false).kind).toBe('paid')
})

it('never lets one transfer prove two uses, whatever the order of the events', () => {
  const parts = [use(1), use(2), use(3), paid, paid, fee]
  const permute = (rest: readonly LogPart[]): LogPart[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((each, index) => permute(rest.toSpliced(index, 1)).map((later) => [each, ...later]))
  for (const order of permute(parts)) {
    const logs = toLogs(order)
    for (const isOwn of [true, false]) {
      const proven = [1, 2, 3].filter(
        (digit) => evaluateAuthorization(logs, { ...payment, nonce: nonce(digit) }, isOwn).kind === 'paid',
      )
      expect(proven.length, JSON.stringify(order)).toBeLessThanOrEqual(2)
    }
  }
})
