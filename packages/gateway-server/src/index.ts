export { type GatewayDatabase, openGatewayDatabase } from './database/database.ts'
export { migrations, ROLE, SCHEMA } from './database/migrations.ts'
export { DEMO_PEOPLE, seedPeople } from './demo/demo-people.ts'
export { type DemoSeed, seedDemo } from './demo/seed.ts'
export {
  type EventStreamSettings,
  EventStreams,
  type EventStreamsOptions,
} from './domains/events/stream/event-streams.ts'
export { migrateWebhookJobs } from './domains/webhooks/delivering.ts'
export { createKey, findLiveKey, listKeys, revokeKey, rotateKey } from './keys/keys-store.ts'
export { maintainSignaturePartitions } from './keys/used-signatures.ts'
export { createGatewayApp, DEFAULT_RATE_LIMIT, type GatewayAppOptions } from './main/app.ts'
export { gatewaySchema, type RunningGateway, startGateway } from './main/server.ts'
