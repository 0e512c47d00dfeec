export type { SandboxAccount, SandboxAccounts } from './accounts.ts'
export type { SandboxChain } from './chain.ts'
export type { ChainFault } from './chain-faults.ts'
export type { SandboxClock } from './clock.ts'
export {
  type AccountKey,
  type Credentials,
  type DemoContents,
  type DemoCredentials,
  readCredentials,
} from './credentials.ts'
export type { FacilitatorFault } from './facilitator-proxy.ts'
export type { SandboxFaults } from './faults.ts'
export {
  type PaymentTerms,
  type SignedPayment,
  signPayment,
  type TokenTransfer,
  transferToken,
} from './payments.ts'
export { runSandbox } from './run-sandbox.ts'
export { type Sandbox, type SandboxOptions, type SandboxPorts, startSandbox } from './sandbox.ts'
export type { SandboxSnapshot } from './snapshots.ts'
export { SandboxStartError } from './start-error.ts'
export type { ReceivedWebhook, ReceivedWebhookOf, SandboxWebhooks } from './webhook-receiver.ts'
