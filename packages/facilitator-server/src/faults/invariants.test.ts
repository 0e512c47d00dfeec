import { expect, it } from 'vitest'
import { GRANT_INVARIANTS, type GrantFacts } from './approval-problems.ts'
import { CHANNEL_FUNDS, CHANNEL_INVARIANTS, type ChannelFacts } from './channel-problems.ts'

type State = Omit<ChannelFacts, 'channel' | 'deposits' | 'problems' | 'promised' | 'returned'>

/** A channel with two deposits, of which 300 were refunded and 400 claimed. */
const CHANNEL: State = {
  deposited: 1_000n,
  accepted: 400n,
  claimed: 400n,
  refundNonce: 0n,
  balance: 700n,
  totalClaimed: 400n,
  nextRefundNonce: 1n,
  funds: CHANNEL_FUNDS - 700n,
  refunded: 300n,
  settledDeposits: [{ amount: '600' }, { amount: '400' }],
  settledRefunds: [{ amount: '0' }],
}

const findBroken = (changes: Partial<State>): string[] =>
  CHANNEL_INVARIANTS.filter(({ holds }) => !holds({ ...CHANNEL, ...changes } as ChannelFacts)).map(
    ({ name }) => name,
  )

it.each<[string, Partial<State>]>([
  ['every accepted voucher is claimed', { totalClaimed: 399n, claimed: 300n }],
  ['nothing is claimed above the highest voucher', { totalClaimed: 401n }],
  ['a delivered claim is on the chain', { claimed: 401n }],
  ['a delivered refund is on the chain', { refundNonce: 1n }],
  ['the balance is what was deposited less what was refunded', { balance: 701n }],
  ['the payer paid the settled deposits and received the refunds', { funds: CHANNEL_FUNDS - 1_300n }],
  ['each refund on the chain has one settlement', { settledRefunds: [{ amount: '0' }, { amount: '0' }] }],
  ['a delivered deposit is settled', { deposited: 1_001n }],
])('a run with channels finds that it does not hold: %s', (name, changes) => {
  expect(findBroken({})).toEqual([])
  expect(findBroken(changes)).toEqual([name])
})

it('each invariant of channels has a name of its own', () => {
  expect(new Set(CHANNEL_INVARIANTS.map(({ name }) => name)).size).toBe(8)
})

const GRANT = {
  payer: '0xa',
  amount: 50n,
  cost: 60n,
  first_cost: 58n,
  account_id: 1,
  day: '2026-01-01',
  state: 'final',
}
const TRANSFER = { hash: '0x1', to: '0xa', value: 50n, cost: 55n }
/** Two wallets that received gas. */
const GRANTS: GrantFacts = {
  grants: [
    { ...GRANT, hash: '0x1' },
    { ...GRANT, hash: '0x2', payer: '0xb' },
  ],
  transfers: [TRANSFER, { ...TRANSFER, hash: '0x2', to: '0xb' }],
  totals: new Map([[1, 120n]]),
  perDay: 116n,
  wallets: new Set(['0xa', '0xb']),
}

const listBroken = (changes: Partial<GrantFacts>): string[] =>
  GRANT_INVARIANTS.filter(({ list }) => list({ ...GRANTS, ...changes }).length > 0).map(({ name }) => name)

const again = { ...TRANSFER, hash: '0x3' }

it.each<[readonly string[], Partial<GrantFacts>]>([
  [
    ['a wallet receives gas once', 'each transfer of gas is a grant'],
    { transfers: [...GRANTS.transfers, again] },
  ],
  [['only payers receive gas'], { wallets: new Set(['0xa']) }],
  [
    ['each transfer of gas is a grant', 'the totals of an account are the sum of its grants'],
    { grants: GRANTS.grants.slice(0, 1) },
  ],
  [['each grant is one transfer of gas'], { transfers: GRANTS.transfers.slice(0, 1) }],
  [
    ['a grant counts at least what it cost'],
    { transfers: GRANTS.transfers.map((transfer) => ({ ...transfer, cost: 61n })) },
  ],
  [['the totals of an account are the sum of its grants'], { totals: new Map([[1, 119n]]) }],
  [['the grants of a day are within its limit, except for replacements'], { perDay: 115n }],
])('a run with grants of gas finds that it does not hold: %j', (names, changes) => {
  expect(listBroken({})).toEqual([])
  expect(listBroken(changes)).toEqual(names)
})
