export type { PaymentStatus, SellerOptions, SignedPayment } from './options.ts'
export type { Purchase, SettlementOverrides, StoredResponse } from './purchase.ts'
export type { PurchaseId, PurchaseStore, StoredPurchase } from './store.ts'
export { createMemoryStore } from './stores/memory-store.ts'
export {
  createPostgresStore,
  type PostgresPool,
  type PostgresStore,
  type PostgresStoreOptions,
} from './stores/postgres-store.ts'
export { createRedisStore, type RedisStoreOptions, type SendCommand } from './stores/redis-store.ts'
