import { setTimeout as pause } from 'node:timers/promises'
import {
  type Address,
  type Chain,
  type Client,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hash,
  type HttpTransport,
  type HttpTransportConfig,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type TestRpcSchema,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type WaitForTransactionReceiptParameters,
  WaitForTransactionReceiptTimeoutError,
  type WalletActions,
  type WalletRpcSchema,
  walletActions,
} from 'viem'
import type { LocalAccount } from 'viem/accounts'
import { getTransactionReceipt } from 'viem/actions'

/** The dev chain has Base Sepolia's chain id, so that stock x402 clients recognize it. */
export const devChainId = 84532

/** Base Sepolia's USDC address, where stock x402 clients look for their default asset. */
export const tokenAddress: Address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'

/**
 * The address of Multicall3 on nearly every public chain. The x402 facilitator calls it there
 * unconditionally.
 */
export const multicallAddress: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** The address of Permit2 on every public chain. */
export const permit2Address: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/** The addresses of x402's proxies for Permit2, one for each scheme, on every public chain. */
export const permit2ProxyAddresses = {
  exact: '0x402085c248EeA27D92E8b30b2C58ed07f9E20001',
  upto: '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002',
} as const satisfies Record<string, Address>

/** The addresses of x402's contracts of the scheme batch-settlement on every public chain. */
export const batchSettlementAddress: Address = '0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003'
export const depositCollectorAddress: Address = '0x4020806089470a89826cB9fB1f4059150b550004'
export const permit2DepositCollectorAddress: Address = '0x4020425FAf3B746C082C2f942b4E5159887B0005'

/** The addresses of the escrow 1.1 of the scheme auth-capture, and of its collectors of payments and refunds by EIP-3009. */
export const authCaptureEscrowAddress: Address = '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c'
export const paymentCollectorAddress: Address = '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88'
export const refundCollectorAddress: Address = '0x9A1149775f8bCd47fa9823C0608948E0b92182f4'

/** The treasury's code is set at this fixed address; it spells "MINTMARK" in ASCII, then 1. */
export const treasuryAddress: Address = '0x4d494e544D41524B000000000000000000000001'

/** Defines the dev chain at `rpcUrl` for viem. */
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

/**
 * Blocks are mined immediately and the node is local, so receipts are polled often. By default viem also
 * keeps block numbers for the interval of polling, and a test that reads one just after a block was mined
 * would get the number before.
 */
const freshness = { pollingInterval: 50, cacheTime: 0 }

/** The node is local, but the machine may be busy. */
const REQUEST_TIMEOUT_MS = 60_000

// Written out, because TypeScript cannot name all parts of the inferred types.
export type AnvilClient = Client<
  HttpTransport,
  Chain,
  undefined,
  TestRpcSchema<'anvil'>,
  TestActions & PublicActions<HttpTransport, Chain> & WalletActions<Chain>
>
export type AccountClient = Client<
  HttpTransport,
  Chain,
  LocalAccount,
  WalletRpcSchema,
  PublicActions<HttpTransport, Chain, LocalAccount> & WalletActions<Chain, LocalAccount>
>

/** For how long a receipt is awaited by default. */
const RECEIPT_TIMEOUT_MS = 180_000

/**
 * Waits for a receipt by reading it again and again. viem's own function reads it when the number of blocks
 * changes. The dev chain mines no empty blocks, so that no block follows one that it misses.
 */
const receiptActions = (client: Client) => ({
  async waitForTransactionReceipt({
    hash,
    timeout = RECEIPT_TIMEOUT_MS,
  }: WaitForTransactionReceiptParameters) {
    const deadline = performance.now() + timeout
    for (;;) {
      const receipt = await findReceipt(client, hash)
      if (receipt !== undefined) return receipt
      if (performance.now() > deadline) throw new WaitForTransactionReceiptTimeoutError({ hash })
      await pause(freshness.pollingInterval)
    }
  },
})

/** Returns undefined if the transaction is not mined. */
async function findReceipt(client: Client, hash: Hash): Promise<TransactionReceipt | undefined> {
  try {
    return await getTransactionReceipt(client, { hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/** Creates a client that reads the dev chain, sends from unlocked accounts and calls anvil's own methods. */
export function anvilClient(rpcUrl: string, options: HttpTransportConfig = {}): AnvilClient {
  return createTestClient({
    mode: 'anvil',
    chain: devChain(rpcUrl),
    transport: http(rpcUrl, { timeout: REQUEST_TIMEOUT_MS, ...options }),
    ...freshness,
  })
    .extend(publicActions)
    .extend(walletActions)
    .extend(receiptActions)
}

/** Creates a client that reads the dev chain and sends transactions signed by `account`. */
export function accountClient(rpcUrl: string, account: LocalAccount): AccountClient {
  return createWalletClient({
    account,
    chain: devChain(rpcUrl),
    transport: http(rpcUrl, { timeout: REQUEST_TIMEOUT_MS }),
    ...freshness,
  })
    .extend(publicActions)
    .extend(receiptActions)
}
