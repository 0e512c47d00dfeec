export type { SandboxAccount, SandboxAccounts } from './accounts.ts'
export type { SandboxChain } from './chain.ts'
export type { SandboxClock } from './clock.ts'
export {
  type AccountKey,
  type Credentials,
  type DemoContents,
  type DemoCredentials,
  readCredentials,
} from './credentials.ts'
export type { FacilitatorFault, SandboxFaults } from './facilitator-proxy.ts'
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
