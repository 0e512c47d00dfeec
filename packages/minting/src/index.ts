export * from './minting.ts'
