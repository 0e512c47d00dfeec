import {
  type Address,
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  publicActions,
  walletActions,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'

/** The dev chain has Base Sepolia's chain id, so that stock x402 clients know it. */
export const devChainId = 84532

/** Base Sepolia's USDC address, where stock x402 clients look for their default asset. */
export const tokenAddress: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

/** Multicall3's address on nearly every public chain; x402's facilitator calls it without checking. */
export const multicallAddress: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The treasury's code is set at this fixed address; it spells "MINTMARK" in ASCII, then 1. */
export const treasuryAddress: Address = '0x4d494e544D41524B000000000000000000000001'

/** viem's description of the dev chain behind `rpcUrl`. */
function devChain(rpcUrl: string) {
  return defineChain({
    id: devChainId,
    name: 'Mintmark dev chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: multicallAddress } },
    testnet: true,
  })
}

/** A block can appear at any moment and the node is on this machine: ask for receipts often. */
const pollingInterval = 50

/** A client that reads the dev chain, sends from unlocked accounts and uses anvil's own methods. */
export function anvilClient(rpcUrl: string) {
  return createTestClient({
    mode: 'anvil',
    chain: devChain(rpcUrl),
    transport: http(rpcUrl),
    pollingInterval,
  })
    .extend(publicActions)
    .extend(walletActions)
}

/** A client that signs with `account` and sends its transactions to the dev chain, and reads it too. */
export function accountClient(rpcUrl: string, account: LocalAccount) {
  return createWalletClient({
    account,
    chain: devChain(rpcUrl),
    transport: http(rpcUrl),
    pollingInterval,
  }).extend(publicActions)
}

export type AnvilClient = ReturnType<typeof anvilClient>
export type AccountClient = ReturnType<typeof accountClient>
