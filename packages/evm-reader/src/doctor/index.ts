export { type ChainCheckOptions, createChainChecks } from './check-chains.ts'
export { requestFromAnyNode } from './node-requests.ts'
