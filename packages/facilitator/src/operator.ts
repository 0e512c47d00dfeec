export * as reverts from './operator/reverts.ts'
