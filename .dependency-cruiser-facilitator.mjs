// The directions of imports between the folders of the facilitator: http → operations → engine and schemes,
// schemes → chains → ledger → payment, and engine → ledger.

const facilitator = 'packages/facilitator-server/src'
const path = (names) => `^${facilitator}/(${names.join('|')})/`

const base = ['payment', 'database', 'events']
/** Each folder with those that it may import besides itself. */
const folders = {
  payment: [],
  database: ['payment'],
  events: ['payment', 'database'],
  ledger: base,
  screening: ['payment'],
  // Deposits are credited to the ledger.
  chains: [...base, 'ledger'],
  schemes: [...base, 'ledger', 'chains'],
  // A payment carries what the engine needs of its scheme.
  engine: [...base, 'ledger'],
  catalog: [...base, 'engine'],
  operations: [...base, 'ledger', 'chains', 'schemes', 'engine'],
  http: [...base, 'ledger', 'chains', 'schemes', 'engine', 'catalog', 'operations'],
  webhooks: [...base, 'http'],
}

/** Imports against these directions that are still to be removed: a file, and what it imports. */
const exceptions = [
  ['engine/engine.ts', 'schemes/evm/batch-settlement/voucher-store.ts'],
  ['engine/settle/outcome.ts', 'schemes/evm/batch-settlement/channel-reasons.ts'],
  ['engine/settle/settle-request.ts', 'schemes/evm/batch-settlement/voucher-store.ts'],
  ['engine/store-voucher.ts', 'schemes/evm/batch-settlement/voucher-store.ts'],
  ['engine/verify/check.ts', 'schemes/evm/batch-settlement/channel-reasons.ts'],
  ['engine/verify/check.ts', 'schemes/evm/batch-settlement/channel-terms.ts'],
  ['engine/verify/check.ts', 'schemes/evm/batch-settlement/voucher-store.ts'],
  ['payment/payment.ts', 'schemes/evm/batch-settlement/channel-terms.ts'],
  ['payment/payment.ts', 'schemes/solana/exact/svm-terms.ts'],
]

const escapeDots = (text) => text.replaceAll('.', String.raw`\.`)
const file = (name) => `^${facilitator}/${escapeDots(name)}$`
const rule = (name, from, to) => ({ name, severity: 'error', from, to })

/** An exception that nothing imports any more is removed from the list, so that it cannot return. */
export const remainingExceptions = exceptions.map(([from, to]) => ({
  name: `in the facilitator, the exception ${from} → ${to} is still needed`,
  severity: 'error',
  module: { path: file(from) },
  to: { path: file(to) },
}))

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
