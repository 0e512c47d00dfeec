import type { Mutation } from '@mintmark/devkit/simulation/mutations'

const file = (path: string) => new URL(`../${path}`, import.meta.url)

/** Mistakes that the simulations of facilitators find. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'ends a settlement that another call or reconciler owns',
    file: file('ledger/functions/apply_transitions.sql'),
    from: 's.id = i.id and s.attempt = i.attempt and s.state = i.from_state',
    to: 's.id = i.id and s.state = i.from_state',
  },
  {
    name: 'records a check of a settlement that another reconciler owns',
    file: file('ledger/functions/record_checks.sql'),
    from: 's.id = i.id and s.attempt = i.attempt and s.state = i.state',
    to: 's.id = i.id and s.state = i.state',
  },
  {
    name: 'signs for a settlement after its lease',
    file: file('chains/evm/transactions/transaction-store.ts'),
    from: `and attempt = \${payment.attempt}::uuid and state = 'sent'
            and lease_until > clock_timestamp()`,
    to: '',
  },
]
