export * from './chain/testing.ts'
export * from './postgres/testing.ts'
