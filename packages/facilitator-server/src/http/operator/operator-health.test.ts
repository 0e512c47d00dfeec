import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { operatorAccounts, operatorHealth, operatorLedger } from '@mintmark/facilitator/operator'
import { afterAll, describe, expect, it } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { creditDeposit } from '../../ledger/deposits/deposits.ts'
import { claimAudit, finishAudit } from '../../operations/audit/audit-store.ts'
import { testFacilitator } from '../../testing.ts'
import { by, OPERATOR_TOKEN, operatorClient } from './testing-operator.ts'

const chain = await testChain()
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey],
  env: { OPERATOR_TOKEN },
})
afterAll(() => facilitator.close())

const operator = operatorClient(facilitator.url)
const alice = by('alice')
const newWallet = () => `0x${randomBytes(20).toString('hex')}`

describe('operatorLedger and operatorHealth', () => {
  it('checks the ledger against the treasury, and reports a violated invariant', async () => {
    const { id } = await facilitator.account()
    await operatorAccounts.credit(operator, { id, amount: '5', reason: 'goodwill' }, alice)
    const [check, same] = await Promise.all([operatorLedger.check(operator), operatorLedger.check(operator)])
    expect(same).toEqual(check)
    expect(check).toMatchObject({ treasuryProblem: '', treasuryBalance: expect.stringMatching(/^\d+$/) })
    const own = await checkLedger(facilitator.db)
    expect(check.totals.available).toBe(String(own.totals.available))
    expect(check.totals.granted).toMatch(/^-\d+$/)
    const take = (wei: string) =>
      facilitator.db
        .updateTable('facilitator.accounts')
        .set((account) => ({ available: account('available', '-', wei) }))
        .where('id', '=', id)
        .execute()
    await take('1')
    const { problems } = await operatorLedger.check(operator)
    await take('-1')
    expect(problems).toContainEqual({
      invariant: 'the balance of an account equals its entries',
      detail: expect.stringContaining(`account ${id} has`),
    })
  })

  it('counts the deposits of wallets without an account among the liabilities to payers', async () => {
    const before = await operatorLedger.check(operator)
    const hash = `0x${randomBytes(32).toString('hex')}`
    const deposit = { chainId: 84532, hash, logIndex: 0, blockNumber: 1n, blockHash: `0x${'0b'.repeat(32)}` }
    const payer = newWallet()
    expect(await creditDeposit(facilitator.db, { ...deposit, payer, amount: 7n })).toBe('suspended')
    const { totals, liabilities } = await operatorLedger.check(operator)
    expect(BigInt(totals.suspense) - BigInt(before.totals.suspense)).toBe(7n)
    expect(BigInt(liabilities) - BigInt(before.liabilities)).toBe(7n)
    const { suspendedDeposits } = await operatorHealth.get(operator)
    expect(suspendedDeposits).toEqual([
      { payer, chainId: 84532, amount: '7', deposits: 1, firstTime: expect.any(String) },
    ])
    // An account that claims the deposit is owed the same amount.
    await operatorAccounts.create(operator, { payer }, alice)
    const claimed = await operatorLedger.check(operator)
    expect(claimed.totals.suspense).toBe(before.totals.suspense)
    expect(claimed.liabilities).toBe(liabilities)
    expect(await operatorHealth.get(operator)).not.toHaveProperty('suspendedDeposits')
  })

  it('reports which comparisons of the last audit found problems', async () => {
    expect(await operatorHealth.get(operator)).not.toHaveProperty('auditProblemKinds')
    const counts = { ledger: 0, settlements: 2, signers: 1, payments: 0, chains: 0 }
    await claimAudit(facilitator.db, 0)
    await finishAudit(facilitator.db, counts)
    expect(await operatorHealth.get(operator)).toMatchObject({
      auditProblems: 3,
      auditProblemKinds: [
        { kind: 'settlements', count: 2 },
        { kind: 'signers', count: 1 },
      ],
    })
    await finishAudit(facilitator.db, { ...counts, settlements: 0, signers: 0 })
  })

  it('reports the database, chains, signers and jobs', async () => {
    await facilitator.runJobs()
    const health = await operatorHealth.get(operator)
    expect(health).toMatchObject({ unknownSettlements: [], dueDeliveries: 0, auditProblems: 0 })
    expect(health.chains).toMatchObject([
      { chainId: 84532, network: 'eip155:84532', newestBlock: expect.any(Number), problem: '' },
    ])
    expect(health.chains[0]?.depositLagBlocks).toBeGreaterThanOrEqual(0)
    expect(health.signers).toMatchObject([
      { address: devAccount(9).address.toLowerCase(), isLow: false, problem: '' },
    ])
    expect(health.jobs.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'reconcile eip155:84532',
        'heads',
        'sweep eip155:84532',
        'deposits',
        'alerts',
        'retention',
      ]),
    )
    expect(health.jobs.find(({ name }) => name === 'heads')).toMatchObject({
      succeedTime: expect.any(String),
      problem: '',
    })
  })
})
