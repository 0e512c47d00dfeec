import { type DevAccount, devAccount, devAccounts } from '@mintmark/devkit'
import type { AccountKey, Credentials } from './credentials.ts'

/**
 * A wallet with its private key, which is public: a viem account that can sign messages, typed data and
 * transactions.
 */
export type SandboxAccount = DevAccount

/** The wallets of a sandbox. Each has 10,000 of the native token and 1,000,000 USDC on its chain. */
export interface SandboxAccounts {
  /** Buys, and pays orders. */
  readonly buyer: SandboxAccount
  /** Creates collections and cards, and sells. The gateway's key belongs to this wallet. */
  readonly creator: SandboxAccount
  /** Pays with x402: the facilitator's account and quota are this wallet's. */
  readonly payer: SandboxAccount
  /** Wallets without a role. */
  readonly others: readonly SandboxAccount[]
}

export const sandboxAccounts: SandboxAccounts = {
  buyer: devAccount(1),
  creator: devAccount(2),
  payer: devAccount(3),
  others: devAccounts.slice(4, 9),
}

/** Sends the settlements and pays their gas. */
export const facilitatorSigner: SandboxAccount = devAccount(9)

const getKey = ({ address, privateKey }: SandboxAccount): AccountKey => ({ address, privateKey })

/** The keys of `sandboxAccounts`, as they are stored. */
export const accountKeys: Credentials['accounts'] = {
  buyer: getKey(sandboxAccounts.buyer),
  creator: getKey(sandboxAccounts.creator),
  payer: getKey(sandboxAccounts.payer),
  others: sandboxAccounts.others.map(getKey),
}
