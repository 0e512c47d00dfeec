// Payers with each kind of wallet, as the npm packages of x402 pay.
import { randomBytes } from 'node:crypto'
import { devUsdcAbi, smartWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { wrapAxiosWithPayment } from '@x402/axios'
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { UptoEvmScheme } from '@x402/evm/upto/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import axios, { type AxiosResponse } from 'axios'
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseEther,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  createDelegatedAccount,
  deployKeyWallet,
  deployWallet,
  planWallet,
  walletCode,
} from '../../../packages/facilitator-server/src/schemes/agreement/testing-payers.ts'
import type { EvmToken, SolanaToken, StockEnvironment } from './stock-sellers.ts'

type EvmSigner = ConstructorParameters<typeof ExactEvmScheme>[0]

/** A wallet of a chain of the EVM that signs payments. */
interface EvmWallet {
  readonly signer: EvmSigner
  /** Approves Permit2 without limit. Undefined if the wallet can send nothing yet. */
  readonly approve: ((token: Address) => Promise<void>) | undefined
}

/** The packages of payers: how each sends requests. */
export const PAYER_PACKAGES: Readonly<
  Record<string, (client: x402Client) => (url: string) => Promise<Response>>
> = {
  '@x402/fetch': (client) => wrapFetchWithPayment(fetch, client),
  '@x402/axios': (client) => {
    const http = axios.create({ responseType: 'text', validateStatus: (status) => status !== 402 })
    // Its own version of `@x402/core` has the same class with other private fields.
    const paying = wrapAxiosWithPayment(http, client as never)
    return async (url) => {
      const { data, status, headers } = await paying.get<string>(url).catch(toRefusal)
      const received = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
      return new Response(data, { status, headers: received })
    }
  },
}

/** Returns the response of a payment that was refused, which axios throws. */
function toRefusal(error: unknown): AxiosResponse<string> {
  if (axios.isAxiosError<string>(error) && error.response !== undefined) return error.response
  throw error
}

/** A payer with tokens. */
export interface StockPayer {
  readonly client: x402Client
  balance(): Promise<bigint>
}

const FUNDS = 1_000_000n
const approval = (amount: bigint) =>
  encodeFunctionData({ abi: devUsdcAbi, functionName: 'approve', args: [permit2Address, amount] })

/** Creates a key with gas. */
async function createKey({ chain }: StockEnvironment): Promise<LocalAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

const sendAs = async (
  { chain }: StockEnvironment,
  account: LocalAccount,
  call: { to: Address; data: Hex },
): Promise<void> => {
  await chain.confirm(chain.client.sendTransaction({ account, ...call }))
}

const ownKey = (environment: StockEnvironment, signer: LocalAccount): EvmWallet => ({
  signer,
  approve: (token) => sendAs(environment, signer, { to: token, data: approval(2n ** 256n - 1n) }),
})

/** The kinds of wallets on chains of the EVM. */
const EVM_WALLETS: Readonly<Record<string, (environment: StockEnvironment) => Promise<EvmWallet>>> = {
  key: async (environment) => ownKey(environment, await createKey(environment)),
  async 'EIP-7702'(environment) {
    const delegate = await deployKeyWallet(environment.chain)
    return ownKey(environment, await createDelegatedAccount(environment.chain, delegate))
  },
  async 'ERC-1271'(environment) {
    const owner = await createKey(environment)
    const wallet = await deployWallet(environment.chain, owner.address)
    return {
      signer: signFor(wallet, owner),
      approve: (token) => {
        const args = [token, 0n, approval(2n ** 256n - 1n)] as const
        const data = encodeFunctionData({ abi: smartWalletAbi, functionName: 'execute', args })
        return sendAs(environment, owner, { to: wallet, data })
      },
    }
  },
  async 'ERC-6492'(environment) {
    const owner = await createKey(environment)
    const salt: Hex = `0x${randomBytes(32).toString('hex')}`
    const { address, factory, data } = planWallet(environment.factory, walletCode(owner.address), salt)
    const wrap = (signature: Hex) => serializeErc6492Signature({ address: factory, data, signature })
    return { signer: signFor(address, owner, wrap), approve: undefined }
  },
}

/** The signer of a contract whose owner's key signs. */
const signFor = (address: Address, owner: LocalAccount, wrap = (signature: Hex) => signature): EvmSigner => ({
  address,
  signTypedData: async (message) => wrap(await owner.signTypedData(message)),
})

/** Opens a payer with a kind of wallet, with tokens, and with the approval of Permit2 if `approves`. */
export async function openEvmPayer(
  environment: StockEnvironment,
  wallet: string,
  token: EvmToken,
  { approves }: { approves: boolean },
): Promise<StockPayer & { allowance(): Promise<bigint> }> {
  const { chain } = environment
  const open = EVM_WALLETS[wallet]
  if (open === undefined) throw new Error(`There is no wallet ${wallet}`)
  const { signer, approve } = await open(environment)
  const { address } = environment.tokens[token]
  const contract = { address, abi: devUsdcAbi } as const
  const funds = [signer.address, FUNDS] as const
  await chain.confirm(chain.as(9).writeContract({ ...contract, functionName: 'mint', args: funds }))
  if (approves) await approve?.(address)
  const rpc = { rpcUrl: chain.rpcUrl }
  // The stock client pays in unknown tokens only if its user allows them.
  const client = new x402Client()
    .setSpendControls({ allowedAssets: true })
    .register('eip155:*', new ExactEvmScheme(signer, rpc))
    .register('eip155:*', new UptoEvmScheme(signer, rpc))
    .register('eip155:*', new BatchSettlementEvmScheme(signer))
    .register('eip155:*', new AuthCaptureEvmScheme(signer))
  const read = (functionName: 'allowance' | 'balanceOf', args: Address[]) =>
    chain.client.readContract({
      ...contract,
      functionName,
      args: args as [Address, Address],
    }) as Promise<bigint>
  return {
    client,
    balance: () => read('balanceOf', [signer.address]),
    allowance: () => read('allowance', [signer.address, permit2Address]),
  }
}

/** Opens a payer with a key of Solana, and with tokens. */
export async function openSolanaPayer(
  { solana, mints }: StockEnvironment,
  token: SolanaToken,
): Promise<StockPayer> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32))
  await solana.ledger.setTokens(mints[token], signer.address, FUNDS)
  const client = new x402Client()
    .setSpendControls({ allowedAssets: true })
    .register('solana:*', new ExactSvmScheme(signer, { rpcUrl: solana.rpcUrl }))
  return { client, balance: () => solana.ledger.getTokens(mints[token], signer.address) }
}
