export * from './postgres/testing.ts'
