import type { LedgerCheck, OperatorHealth } from '@mintmark/facilitator/operator'
import { describe, expect, it } from 'vitest'
import { formatChain } from '../../format/chains.ts'
import { findName, formatShare, formatSignedNative, formatSubject, toChainId } from './facilitator-format.ts'
import { listFacilitatorProblems } from './health-problems.ts'
import { listMissingComparisons, listTotals } from './ledger-totals.ts'
import { listResolutionFields } from './resolution-fields.ts'
import { readId, readSettlementSearch } from './settlement-search.ts'
import { describeRetirement } from './signer-status.tsx'

const NOW = '2026-01-15T10:00:00.000Z'
const chain = {
  chainId: 8453,
  network: 'eip155:8453',
  newestBlock: 9,
  headAgeSeconds: 2,
  responseMs: 9,
  problem: '',
  nodes: [{ newestBlock: 9, responseMs: 9, problem: '' }],
}
const key = { status: 'active', outstanding: 0, isRemovable: false } as const
const signer = {
  ...key,
  chainId: 8453,
  address: `0x${'a1'.repeat(20)}`,
  balance: '5',
  isLow: false,
  minedNonce: 3,
  pendingNonce: 3,
  nextNonce: 3,
  problem: '',
}
const job = { name: 'reconcile', everyMs: 1000, succeedTime: '2026-01-15T09:59:59.000Z', problem: '' }
const healthy: OperatorHealth = {
  version: '1.0.0',
  time: NOW,
  databaseMs: 2,
  chains: [chain],
  signers: [signer],
  jobs: [job],
  blockedSessions: [],
  unknownSettlements: [],
  dueDeliveries: 0,
  oldestDueDeliverySeconds: 0,
  auditProblems: 0,
}
const node = { newestSlot: 9, lagSlots: 0, responseMs: 9, isForeign: false, problem: '' }
const feePayer = {
  ...key,
  address: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
  balance: '60000000',
  isLow: false,
}
const solana = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  newestSlot: 9,
  headAgeSeconds: 2,
  nodes: [node, node],
  feePayers: [feePayer],
  problem: '',
}
const blocked = { sessionId: 1, program: 'shop', waitingSeconds: 90, statement: '', blockers: [] }
const unknown = { id: 1, orderNo: 'MP1', network: 'eip155:8453', ageSeconds: 7200 }

describe('the problems of a facilitator', () => {
  const list = (changes: Partial<OperatorHealth>) => listFacilitatorProblems({ ...healthy, ...changes })

  it('the problems of a facilitator are none while everything works', () => {
    expect(list({})).toEqual([])
    expect(list({ blockedSessions: [{ ...blocked, waitingSeconds: 10 }] })).toEqual([])
    const unneeded = { status: 'retired', isLow: true, isRemovable: true } as const
    expect(list({ signers: [{ ...signer, ...unneeded }] })).toEqual([])
    const feePayers = [{ ...feePayer, ...unneeded, balance: '0' }]
    expect(list({ solana: [{ ...solana, feePayers }] })).toEqual([])
    const limits = { headAgeSeconds: 30, nodes: [node, { ...node, lagSlots: 150 }] }
    expect(list({ solana: [{ ...solana, ...limits }] })).toEqual([])
  })

  it.each<[string, Partial<OperatorHealth>, string]>([
    [
      'a chain that cannot be read',
      { chains: [{ ...chain, problem: 'timeout' }] },
      'Base cannot be read: timeout',
    ],
    [
      'a node that does not respond beside one that does',
      { chains: [{ ...chain, nodes: [...chain.nodes, { responseMs: 1, problem: 'timeout' }] }] },
      'Node 2 of Base does not respond: timeout',
    ],
    ['a node that lags', { chains: [{ ...chain, headAgeSeconds: 1200 }] }, '20 min'],
    ['late deposits', { chains: [{ ...chain, depositLagBlocks: 2000 }] }, '2,000 blocks'],
    ['a signer without gas', { signers: [{ ...signer, isLow: true }] }, 'little left for gas on Base'],
    [
      'a signer that another program uses',
      { signers: [{ ...signer, problem: 'foreign nonces' }] },
      'foreign nonces',
    ],
    [
      'a signer whose key is missing, whatever else is wrong with it',
      { signers: [{ ...signer, status: 'missing', outstanding: 2, isLow: true, problem: 'foreign nonces' }] },
      'is missing, and 2 transactions of it on Base',
    ],
    [
      'a retired signer without gas for what is not final',
      { signers: [{ ...signer, status: 'retired', outstanding: 1, isLow: true }] },
      'little left for gas on Base',
    ],
    ['a job that fails', { jobs: [{ ...job, problem: 'lock timeout' }] }, '“reconcile” fails: lock timeout'],
    ['a job that hangs', { jobs: [{ ...job, succeedTime: '2026-01-15T09:00:00Z' }] }, '“reconcile” is late'],
    ['unknown settlements', { unknownSettlements: [unknown] }, '1 settlement without a known outcome'],
    ['problems of the audit', { auditProblems: 2 }, 'The last audit found 2 problems'],
    [
      'problems of one comparison of the audit',
      { auditProblems: 2, auditProblemKinds: [{ kind: 'signers', count: 2 }] },
      'The last audit found 2 problems of the kind “signers”',
    ],
    [
      'deposits of a wallet without an account',
      { suspendedDeposits: [{ payer: '0x1', chainId: 8453, amount: '7', deposits: 1, firstTime: NOW }] },
      '1 wallet deposited without an account',
    ],
    ['sessions that wait', { blockedSessions: [blocked] }, '1 session waits for a lock of the database'],
    ['late webhooks', { oldestDueDeliverySeconds: 400 }, '6 min 40 s late'],
    [
      'a network of Solana that cannot be read, and nothing else of it',
      { solana: [{ ...solana, nodes: [{ ...node, problem: 'timeout' }], problem: 'timeout' }] },
      'Solana cannot be read: timeout',
    ],
    [
      'a node of another network',
      { solana: [{ ...solana, nodes: [node, { ...node, isForeign: true, problem: 'foreign' }] }] },
      'Node 2 of Solana is of another network',
    ],
    [
      'a node of Solana that fails',
      { solana: [{ ...solana, nodes: [{ ...node, problem: 'timeout' }, node] }] },
      'Node 1 of Solana cannot be used: timeout',
    ],
    [
      'a node of Solana that lags',
      { solana: [{ ...solana, nodes: [node, { ...node, lagSlots: 151 }] }] },
      'Node 2 of Solana is 151 slots behind',
    ],
    ['a network with one node', { solana: [{ ...solana, nodes: [node] }] }, 'Solana has one node'],
    [
      'a network of Solana that stopped',
      { solana: [{ ...solana, headAgeSeconds: 31 }] },
      'The newest slot of Solana is 31 s old',
    ],
    [
      'a fee payer with little SOL',
      { solana: [{ ...solana, feePayers: [{ ...feePayer, isLow: true }] }] },
      'little SOL left on Solana',
    ],
    [
      'a fee payer without SOL',
      { solana: [{ ...solana, feePayers: [{ ...feePayer, balance: '0', isLow: true }] }] },
      'has no SOL on Solana',
    ],
    ['a slow database', { databaseMs: 900 }, '900 ms'],
  ])('name %s', (_, changes, text) => {
    const problems = list(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.title).toContain(text)
  })

  it('name a chain that cannot be read once, however many signers it has', () => {
    const node = { responseMs: 9, problem: 'timeout' }
    const stopped = { chainId: 8453, network: 'eip155:8453', ...node, nodes: [node] }
    const unread = { ...key, chainId: 8453, address: signer.address, isLow: false, problem: 'timeout' }
    expect(list({ chains: [stopped], signers: [unread, unread] })).toHaveLength(1)
  })

  it('say that there may be more than the facilitator lists', () => {
    const settlements = (count: number) => Array.from({ length: count }, (_, id) => ({ ...unknown, id }))
    const deposit = { payer: '0x1', chainId: 8453, amount: '7', deposits: 1, firstTime: NOW }
    const titles = (changes: Partial<OperatorHealth>) => list(changes).map(({ title }) => title)
    expect(titles({ unknownSettlements: settlements(99) })[0]).toMatch(/^99 settlements without/)
    expect(titles({ unknownSettlements: settlements(100) })[0]).toMatch(/^At least 100 settlements without/)
    expect(titles({ suspendedDeposits: Array.from({ length: 100 }, () => deposit) })[0]).toMatch(
      /^At least 100 wallets deposited/,
    )
  })

  it('begin with those that stop something', () => {
    const problems = list({ databaseMs: 900, auditProblems: 1 })
    expect(problems.map(({ tone }) => tone)).toEqual(['danger', 'warning'])
  })
})

describe('the retirement of a signer', () => {
  const retired = { ...signer, status: 'retired' } as const
  const elsewhere = { ...retired, chainId: 1, outstanding: 1 }

  it.each([
    ['one transaction', { ...retired, outstanding: 1 }, [], '1 transaction is not final'],
    ['transactions', { ...retired, outstanding: 2 }, [elsewhere], '2 transactions are not final'],
    [
      'payments that are signed for it',
      retired,
      [{ ...elsewhere, address: '0x1' }],
      'Payments signed for it may not be settled yet',
    ],
    ['another chain', retired, [elsewhere], 'Its transactions on another chain are not final'],
    [
      'sellers only',
      { ...retired, isRemovable: true },
      [],
      'Its key can be removed once all sellers have read /supported again',
    ],
  ])('says that it waits for %s', (_, row, others, text) => {
    expect(describeRetirement(row, [row, ...others])).toBe(text)
  })

  it('the retirement of a signer is described of retired ones only', () => {
    for (const status of ['active', 'missing'] as const)
      expect(describeRetirement({ ...signer, status, outstanding: 2 }, [])).toBe('')
  })
})

describe('a search of settlements', () => {
  it('finds transactions, wallets and orders by what they look like', () => {
    const hash = `0x${'aB'.repeat(32)}`
    const wallet = `0x${'aB'.repeat(20)}`
    expect(readSettlementSearch(hash)).toEqual({ transaction: hash })
    expect(readSettlementSearch(wallet)).toEqual({ payer: wallet })
    const onSolana = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    expect(readSettlementSearch(onSolana)).toEqual({ payer: onSolana })
    expect(readSettlementSearch(onSolana.repeat(2))).toEqual({ transaction: onSolana.repeat(2) })
    const orderNo = 'MP0MWUH8A1B0123456789ABCDEF'
    expect(readSettlementSearch(orderNo)).toEqual({ orderNo })
    expect(readSettlementSearch('MP0MWUH8')).toEqual({ orderNo: 'MP0MWUH8' })
    expect(readSettlementSearch('')).toEqual({})
  })

  it('ignores an address whose id is no number', () => {
    expect(readId('12')).toBe(12)
    for (const text of [undefined, '', '0', '-1', '1.5', 'x', '9'.repeat(16)])
      expect(readId(text)).toBeUndefined()
  })
})

describe('the totals of the ledger', () => {
  const eth = (amount: number) => String(BigInt(amount) * 10n ** 18n)
  /** An account spent 3 of 5 deposited tokens. The deposit was reversed, and operators credited 7 to another. */
  const check: LedgerCheck = {
    problems: [],
    totals: {
      available: eth(7),
      held: '0',
      suspense: '0',
      revenue: eth(3),
      receivable: eth(-3),
      granted: eth(-7),
      external: '0',
    },
    trials: '0',
    liabilities: eth(7),
    treasuryProblem: '',
    depositsProblem: '',
    time: NOW,
  }

  it('the totals of the ledger are what labels say, so that what accounts owe is not below zero', () => {
    const totals = new Map(Object.entries(listTotals(check)))
    expect(totals.get('Owed by accounts')).toBe('3')
    expect(totals.get('Credited by operators and for trials')).toBe('7')
    expect(totals.get('Charged')).toBe('3')
    expect(totals.get('Owed to payers')).toBe('7')
  })

  it('say what was not compared, and that of a treasury that was read only the deposits', () => {
    const unread = { ...check, treasuryProblem: 'timeout', depositsProblem: 'timeout' }
    expect(listMissingComparisons(unread)).toEqual([
      { title: 'The treasury was not compared', advice: 'timeout' },
    ])
    expect(listMissingComparisons({ ...check, depositsProblem: 'no old balance' })).toEqual([
      {
        title: 'The deposits were not compared with the treasury',
        advice: 'no old balance',
      },
    ])
    expect(listMissingComparisons(check)).toEqual([])
  })
})

describe('the decision of an unknown settlement', () => {
  const describeTransaction = (network: string, outcome = 'settled') => {
    const fields = listResolutionFields({ outcome }, { network, isReadable: false })
    return fields.transaction?.description
  }

  it('needs the transaction of a payment that was made, as its chain writes it', () => {
    expect(describeTransaction('eip155:8453')).toBe('0x and 64 hexadecimal digits.')
    expect(describeTransaction(solana.network)).toBe('Its first signature, in base58.')
    expect(describeTransaction(solana.network, 'failed')).toBeUndefined()
  })
})

describe('the formats of the facilitator', () => {
  it('show words of a newer facilitator as they are', () => {
    expect(findName({ a: 'Letter A' }, 'a')).toBe('Letter A')
    expect(findName({ a: 'Letter A' }, 'constructor')).toBe('constructor')
  })

  it('show what decisions are about', () => {
    expect(formatSubject('account/12')).toBe('Account 12')
    expect(formatSubject(`payer/0x${'a1'.repeat(20)}`)).toBe('Wallet 0xa1a1…a1a1')
    expect(formatSubject('session/4711')).toBe('Session 4711')
    expect(formatSubject('box/3')).toBe('box/3')
  })

  it('show amounts below zero exactly', () => {
    expect(formatSignedNative('-1500000000000000001')).toBe('−1.500000000000000001')
    expect(formatSignedNative('0')).toBe('0')
  })

  it('show how much of a limit is used, and less than all of it below the limit', () => {
    expect(formatShare('999', '1000')).toBe('99 %')
    expect(formatShare('1500', '1000')).toBe('150 %')
    expect(formatShare('1', '0')).toBe('0 %')
  })

  it('find the chain of a network', () => {
    expect(toChainId('eip155:8453')).toBe('8453')
    expect(toChainId('solana:5eykt4')).toBe('solana:5eykt4')
    expect(formatChain(toChainId(solana.network))).toBe('Solana')
  })
})
