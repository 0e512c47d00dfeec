export type { Contract } from './contracts.ts'
export * as contracts from './contracts.ts'
