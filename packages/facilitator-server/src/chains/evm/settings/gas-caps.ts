/** The most gas of a settlement, by what it executes. Above it, the payment is refused. */
export interface GasCaps {
  /** The payer is a key. */
  key: bigint
  /** The payer has code, which we execute and pay for. */
  contract: bigint
  /** The transaction deploys the payer's wallet first (ERC-6492). */
  deployment: bigint
  /** The transaction executes many payments. With more gas, it is split. */
  batch: bigint
}

/**
 * Not settings: what a payment needs follows from the tokens and the wallets. The key's cap is several
 * transfers of any known token. The contract's suffices for several owners, or for a passkey on a chain that
 * checks its curve. The deployment's suffices for the usual wallets, which are proxies. The batch's is below
 * the 16,777,216 that a chain accepts of one transaction (EIP-7825): one with more would never be mined.
 */
export const DEFAULT_GAS_CAPS: GasCaps = {
  key: 500_000n,
  contract: 300_000n,
  deployment: 700_000n,
  batch: 15_000_000n,
}

/**
 * The most gas of a call in which a wallet verifies a signature: enough for one that verifies a passkey in
 * Solidity, and too little to occupy a node.
 */
export const WALLET_GAS = 3_000_000n

/**
 * Adds a reserve to a gas estimate: the state may change before the transaction is mined, and a recipient's
 * first token costs more gas.
 */
export const addGasReserve = (estimate: bigint): bigint => (estimate * 5n) / 4n

/**
 * Returns the most gas that a transfer may use so that its estimate with the reserve is not above the cap.
 */
export const withoutGasReserve = (cap: bigint): bigint => (cap * 4n) / 5n
