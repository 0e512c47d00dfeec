export * from './chain/faults.ts'
export * from './chain/faulty-node.ts'
export * from './postgres/testing.ts'
export * from './webhooks/testing-receiver.ts'
