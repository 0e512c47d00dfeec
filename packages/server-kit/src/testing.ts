export * from './chain/faulty-node.ts'
export * from './postgres/testing.ts'
