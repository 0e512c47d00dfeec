export { createChainChecks } from './check-chains.ts'
