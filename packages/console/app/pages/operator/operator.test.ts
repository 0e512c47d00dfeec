import type { ServerHealth, StuckOrder } from '@mintmark/admin'
import { describe, expect, it } from 'vitest'
import { getJobState } from '../../components/health/health-problems.ts'
import { type FormValues, toInput } from '../../form/form-values.ts'
import { stuckOrdersTexts } from '../../texts/operator.ts'
import { listDecisionFields, toCountedPayment } from './decide-order.tsx'
import { listHealthProblems } from './health-problems.ts'
import { formatOrderAmount, listDecisions, type StuckDecision, toConsoleAdvice } from './stuck-decisions.ts'

const NOW = '2026-01-15T10:00:00.000Z'
const job = { name: 'orders', everyMs: 1000, succeedTime: '2026-01-15T09:59:59.000Z', problem: '' }
const node = { newestBlock: 100, responseMs: 20, problem: '' }
const chain = { chainId: '8453', ...node, nodes: [node], lagBlocks: 0, lagSeconds: 0 }
const healthy: ServerHealth = {
  version: '1.0.0',
  time: NOW,
  databaseMs: 2,
  chains: [chain],
  jobs: [job],
  unreported: [],
  oldestUnreportedSeconds: 0,
  oldestDueDeliverySeconds: 0,
  disabledWebhooks: [],
  sharedPayments: [],
  blockedSessions: [],
}
const blocked = { sessionId: 7, program: 'mintmark-gateway', statement: 'update …', blockers: [] }
const webhook = { projectId: 1, webhookId: 2, url: 'https://shop.example', problem: '', failedDeliveries: 9 }
const payment = { chainId: '8453', hash: '0x1', countTime: NOW, orders: [] }

describe('the problems of a server', () => {
  const list = (changes: Partial<ServerHealth>) => listHealthProblems({ ...healthy, ...changes })

  it('the problems of a server are none while everything works', () => {
    expect(list({})).toEqual([])
  })

  it('name a chain that cannot be read, with its remedy', () => {
    const refused = { responseMs: 3, problem: 'connection refused' }
    const stopped = { chainId: '8453', ...refused, nodes: [refused] }
    const [problem] = list({ chains: [stopped] })
    expect(problem?.title).toBe('Base cannot be read: connection refused')
    expect(problem?.remedy).toContain('CHAINS')
  })

  it.each<[string, Partial<ServerHealth>, string]>([
    [
      'a node that does not respond beside one that does',
      { chains: [{ ...chain, nodes: [{ responseMs: 1, problem: 'timeout' }, node] }] },
      'Node 1 of Base does not respond: timeout',
    ],
    [
      'an index that is behind',
      { chains: [{ ...chain, lagBlocks: 900, lagSeconds: 1800 }] },
      '900 blocks and 30 min',
    ],
    ['a job that fails', { jobs: [{ ...job, problem: 'lock timeout' }] }, '“orders” fails: lock timeout'],
    [
      'a job that hangs',
      { jobs: [{ ...job, succeedTime: '2026-01-15T09:00:00Z' }] },
      'has not succeeded for 1 h',
    ],
    ['changes that wait', { oldestUnreportedSeconds: 120 }, 'wait for 2 min'],
    ['late webhooks', { oldestDueDeliverySeconds: 400 }, '6 min 40 s late'],
    [
      'a block that no node returns',
      { chains: [{ ...chain, unreadableBlock: 1234 }] },
      'No node of Base returns the logs of block 1,234',
    ],
    [
      'a session that waits for a lock',
      { blockedSessions: [{ ...blocked, waitingSeconds: 90 }] },
      '1 session waits for a lock of the database, the longest for 1 min 30 s',
    ],
    ['a disabled webhook', { disabledWebhooks: [webhook] }, '1 webhook was disabled'],
    [
      'payments of several projects',
      { sharedPayments: [payment, { ...payment, hash: '0x2' }] },
      '2 payments are counted by orders of several projects',
    ],
    ['a slow database', { databaseMs: 900 }, '900 ms'],
    ['a slow node', { chains: [{ ...chain, responseMs: 9000 }] }, '9,000 ms'],
  ])('name %s', (_, changes, text) => {
    const problems = list(changes)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.title).toContain(text)
  })

  it('the problems of a server do not include a short wait for a lock', () => {
    expect(list({ blockedSessions: [{ ...blocked, waitingSeconds: 3 }] })).toEqual([])
  })

  it('begin with those that stop something', () => {
    const problems = list({ databaseMs: 900, oldestDueDeliverySeconds: 400, oldestUnreportedSeconds: 120 })
    expect(problems.map(({ tone }) => tone)).toEqual(['danger', 'danger', 'warning'])
  })

  it('the problems of a server do not count a job as late before its interval has passed some times', () => {
    const hourly = { ...job, everyMs: 3_600_000, succeedTime: '2026-01-15T07:00:00Z' }
    expect(getJobState(hourly, NOW)).toBe('works')
    expect(getJobState({ ...hourly, succeedTime: '2026-01-15T02:00:00Z' }, NOW)).toBe('late')
    expect(getJobState({ name: 'orders', everyMs: 1000, problem: '' }, NOW)).toBe('starting')
  })
})

const order = {
  status: 'UNRESOLVED',
  refundDue: false,
  delivery: '',
  chainId: '8453',
  payTokenAddress: '',
} as StuckOrder

it.each<[Partial<StuckOrder>, readonly string[]]>([
  [{}, ['success', 'failed']],
  [{ status: 'IN_PROGRESS' }, ['success', 'failed']],
  [{ status: 'SUCCESS', refundDue: true }, ['refund']],
  [{ status: 'SUCCESS', refundDue: true, delivery: 'pending' }, ['refund']],
  [{ status: 'SUCCESS', delivery: 'pending' }, ['delivery']],
  [{ status: 'FAILED', delivery: 'pending' }, ['delivery']],
  [{ status: 'EXPIRED' }, ['success', 'failed']],
  [{ status: 'NEW_STATUS' }, []],
])('a stuck order with %j can be decided by %j', (changes, decisions) => {
  expect(listDecisions({ ...order, ...changes })).toEqual(decisions)
})

it('a stuck order shows its amount exactly, in tokens only where the decimals are known', () => {
  expect(formatOrderAmount(order, '1500000000000000001')).toBe('1.500000000000000001\u00a0ETH')
  const usdc = { chainId: '8453', payTokenAddress: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' }
  expect(formatOrderAmount(usdc, '25000000')).toBe('25\u00a0USDC')
  const unknown = { chainId: '8453', payTokenAddress: '0x00000000000000000000000000000000000000aa' }
  expect(formatOrderAmount(unknown, '25000000')).toBe(
    '25,000,000 base units\u00a00x00000000000000000000000000000000000000aa',
  )
})

it('a stuck order shows the advice of the server with the names of the buttons', () => {
  const { successWithHash, failed } = stuckOrdersTexts.commands
  expect(
    toConsoleAdvice(
      'If one paid "orders resolve --as success --hash <transaction>" delivers, otherwise "orders resolve --as failed" closes it.',
    ),
  ).toBe(`If one paid ${successWithHash} delivers, otherwise ${failed} closes it.`)
  expect(toConsoleAdvice('Run "something else".')).toBe('Run "something else".')
})

describe('a decision', () => {
  const hash = `0x${'ab'.repeat(32)}`
  const payment = { hash, outcome: 'paid', paid: '1', refundDue: '1' }
  const stuck = { ...order, projectId: 1, orderNo: 'a', payments: [payment] }
  const listIssues = (decision: StuckDecision, values: FormValues) =>
    toInput(listDecisionFields(stuck, decision, values), values).issues.map(({ path }) => path)
  const reason = 'Paid in cash'

  it('a decision needs a reason', () => {
    expect(listIssues('failed', { reason: '  ' })).toEqual(['reason'])
    expect(listIssues('failed', { reason })).toEqual([])
  })

  it('a decision needs the hash of another transaction, and no wrong hash of a refund', () => {
    expect(listIssues('success', { reason, payment: 'other' })).toEqual(['hash'])
    expect(listIssues('success', { reason, payment: 'other', hash })).toEqual([])
    expect(listIssues('refund', { reason, payment: hash, hash: '0x1' })).toEqual(['hash'])
    expect(listIssues('refund', { reason, payment: hash })).toEqual([])
  })

  it('a decision names the payment that counts, another one, or none', () => {
    const other = `0x${'cd'.repeat(32)}`
    expect(toCountedPayment({ payment: 'reported' })).toEqual({})
    expect(toCountedPayment({ payment: hash })).toEqual({ hash })
    expect(toCountedPayment({ payment: 'other', hash: other })).toEqual({ hash: other })
    expect(toCountedPayment({ payment: 'none', hash: other })).toEqual({ withoutPayment: true })
  })

  it('a refund is of a payment of which something is to be paid back', () => {
    const paid = { ...payment, hash: '0x1', refundDue: '0' }
    const list = (payments: StuckOrder['payments']) =>
      listDecisionFields({ ...stuck, payments }, 'refund', {}).payment
    expect(list([paid])).toBeUndefined()
    expect(list([paid, payment])).toMatchObject({ options: [{ value: hash }] })
  })
})
