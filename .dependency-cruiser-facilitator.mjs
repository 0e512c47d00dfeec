// The directions of imports between the folders of the facilitator: http → operations → engine → schemes →
// chains → payment, and engine → ledger → payment.

const facilitator = 'packages/facilitator-server/src'
const path = (names) => `^${facilitator}/(${names.join('|')})/`

const base = ['payment', 'database', 'events']
/** Each folder with those that it may import besides itself. */
const folders = {
  payment: [],
  database: ['payment'],
  events: ['payment', 'database'],
  ledger: base,
  // Deposits are credited to the ledger.
  chains: [...base, 'ledger'],
  schemes: [...base, 'ledger', 'chains'],
  engine: [...base, 'ledger', 'schemes'],
  catalog: [...base, 'engine'],
  operations: [...base, 'ledger', 'chains', 'schemes', 'engine'],
  http: [...base, 'ledger', 'chains', 'schemes', 'engine', 'catalog', 'operations'],
  webhooks: [...base, 'http'],
}

/** Imports against these directions that are still to be removed: a file, and what it imports. */
const exceptions = [
  ['chains/evm/batches/batch-simulation.ts', 'schemes/evm/shared/delivery.ts'],
  ['chains/evm/batches/settle-batches.ts', 'schemes/evm/exact-eip3009/eip3009.ts'],
  ['chains/evm/batches/settle-batches.ts', 'schemes/evm/methods.ts'],
  ['chains/evm/reads/own-outcome.ts', 'schemes/evm/methods.ts'],
  ['chains/evm/reads/reader.ts', 'schemes/evm/methods.ts'],
  ['chains/evm/reads/reader.ts', 'schemes/evm/shared/use-search.ts'],
  ['chains/evm/transactions/record-receipt.ts', 'schemes/evm/shared/authorization-logs.ts'],
  ['chains/evm/transactions/settle-on-chain.ts', 'schemes/evm/batch-settlement/channel-store.ts'],
  ['chains/evm/transactions/settle-on-chain.ts', 'schemes/evm/shared/permit2/approvals/sponsor-approval.ts'],
  ['chains/evm/transactions/settlement-call.ts', 'schemes/evm/batch-settlement/channel-methods.ts'],
  ['chains/evm/transactions/settlement-call.ts', 'schemes/evm/methods.ts'],
  ['chains/evm/transactions/simulation.ts', 'schemes/evm/methods.ts'],
  ['chains/evm/transactions/simulation.ts', 'schemes/evm/shared/delivery.ts'],
  ['chains/evm/transactions/transaction-store.ts', 'schemes/evm/batch-settlement/channel-store.ts'],
  ['chains/evm/transactions/transaction-store.ts', 'schemes/evm/batch-settlement/channel-terms.ts'],
  ['chains/evm/transactions/transaction-store.ts', 'schemes/evm/shared/transfer-method.ts'],
  ['chains/evm/upstream/sweep.ts', 'schemes/evm/shared/permit2/approvals/grant-store.ts'],
  ['chains/evm/upstream/sweep.ts', 'schemes/evm/shared/permit2/permit2-contracts.ts'],
  ['chains/evm/upstream/upstream.ts', 'schemes/evm/shared/permit2/approvals/sponsor-approval.ts'],
  ['chains/evm/upstream/upstream.ts', 'schemes/evm/shared/transfer-method.ts'],
  ['chains/evm/upstream/upstream.ts', 'schemes/evm/verify/verify.ts'],
  ['chains/solana/svm-settings.ts', 'schemes/solana/exact/svm-payment.ts'],
  ['operations/gauges.ts', 'configuration.ts'],
  ['operations/gauges.ts', 'payments-engine.ts'],
  ['operations/signer-states.ts', 'configuration.ts'],
  ['payment/payment.ts', 'schemes/evm/batch-settlement/channel-terms.ts'],
  ['payment/payment.ts', 'schemes/solana/exact/svm-terms.ts'],
]

const escapeDots = (text) => text.replaceAll('.', String.raw`\.`)
const file = (name) => `^${facilitator}/${escapeDots(name)}$`
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

/** Creates the rules. `tests` matches tests and what only they use. */
export const facilitatorRules = (tests) => {
  const excepted = [...new Set(exceptions.map(([from]) => from))]
  const outside = (name) => ({
    path: `^${facilitator}/`,
    pathNot: [path([name, ...folders[name]])],
  })
  return [
    ...Object.entries(folders).map(([name, lower]) =>
      rule(
        `in the facilitator, ${name} imports only ${lower.join(', ') || 'its own files'}`,
        { path: path([name]), pathNot: [tests, ...excepted.map(file)] },
        outside(name),
      ),
    ),
    ...excepted.map((name) => {
      const to = outside(name.split('/')[0])
      const allowed = exceptions.filter(([from]) => from === name).map(([, target]) => file(target))
      return rule(
        `in the facilitator, ${name} imports nothing else against the directions`,
        { path: file(name) },
        { ...to, pathNot: [...to.pathNot, ...allowed] },
      )
    }),
  ]
}
