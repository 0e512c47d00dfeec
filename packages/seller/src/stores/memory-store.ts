import type { PurchaseId, PurchaseStore, StoredPurchase } from '../store.ts'

/** Creates a store in the memory of one process, for trying out: a restart forgets what was paid. */
export function createMemoryStore(): PurchaseStore {
  const entries = new Map<
    string,
    { readonly text: string; readonly key: string | undefined; readonly until: number }
  >()
  const payments = new Map<string, string>()

  const read = (id: PurchaseId): StoredPurchase | undefined => {
    const payment = 'payment' in id ? id.payment : payments.get(id.key)
    const entry = payment === undefined ? undefined : entries.get(payment)
    if (payment === undefined || entry === undefined) return undefined
    if (entry.until > Date.now()) return JSON.parse(entry.text) as StoredPurchase
    drop(payment)
    return undefined
  }
  const drop = (payment: string) => {
    const key = entries.get(payment)?.key
    if (key !== undefined && payments.get(key) === payment) payments.delete(key)
    entries.delete(payment)
  }
  const write = (entry: StoredPurchase, ttlMs: number) => {
    drop(entry.payment)
    entries.set(entry.payment, { text: JSON.stringify(entry), key: entry.key, until: Date.now() + ttlMs })
    if (entry.key !== undefined) payments.set(entry.key, entry.payment)
  }
  let claims = 0
  return {
    async claim(entry, ttlMs) {
      claims += 1
      if (claims % SWEEP_EVERY === 0)
        for (const [payment, { until }] of entries) if (until <= Date.now()) drop(payment)
      const existing =
        read({ payment: entry.payment }) ?? (entry.key === undefined ? undefined : read({ key: entry.key }))
      if (existing === undefined) write(entry, ttlMs)
      return existing
    },
    find: async (id) => read(id),
    async replace(token, entry, ttlMs) {
      if (read({ payment: entry.payment })?.token !== token) return false
      write(entry, ttlMs)
      return true
    },
    async remove(payment, token) {
      if (read({ payment })?.token !== token) return false
      drop(payment)
      return true
    },
  }
}

/** Claims after which expired purchases are removed. */
const SWEEP_EVERY = 1_000
