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

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

/** Creates the rules. `tests` matches tests and what only they use. */
export const facilitatorRules = (tests) =>
  Object.entries(folders).map(([name, lower]) =>
    rule(
      `in the facilitator, ${name} imports only ${lower.join(', ') || 'its own files'}`,
      { path: path([name]), pathNot: tests },
      { path: `^${facilitator}/`, pathNot: path([name, ...lower]) },
    ),
  )
