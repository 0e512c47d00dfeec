import { multicall3Abi, walletFactoryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import keyWallet from '@mintmark/devkit/chain/artifacts/KeyWallet.json' with { type: 'json' }
import smartWallet from '@mintmark/devkit/chain/artifacts/SmartWallet.json' with { type: 'json' }
import walletFactory from '@mintmark/devkit/chain/artifacts/WalletFactory.json' with { type: 'json' }
import type { TestChain } from '@mintmark/devkit/chain/testing'
import {
  type Address,
  concat,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  pad,
  parseEther,
  serializeErc6492Signature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { hex, type Signed, serving, signedBody } from '../../engine/testing.ts'
import type { Payment } from '../../payment/payment.ts'
import { decodePayment } from '../decode.ts'

const relayerAccount = 9

/** Decodes a body that must be well-formed. */
export function decodeBody(body: unknown, networks = ['eip155:84532']): Payment {
  const result = decodePayment(body, serving(...networks))
  if (!result.ok) throw new Error(result.message)
  return result.payment
}

/** Signs a payment. `account` is the owner's key if `from` is a wallet. */
export const signPayment = async (terms: Signed): Promise<Payment> => decodeBody(await signedBody(terms))

/** Deploys a contract without arguments, or with its arguments after its bytecode. */
export async function deployContract({ as, client }: TestChain, bytecode: Hex): Promise<Address> {
  const hash = await as(relayerAccount).deployContract({ abi: [], bytecode })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

/** The code that deploys a `SmartWallet` of an owner. */
export const walletCode = (owner: Address): Hex => concat([hex(smartWallet.bytecode), pad(owner)])

/** Deploys a contract wallet of an owner (ERC-1271). */
export const deployWallet = (chain: TestChain, owner: Address): Promise<Address> =>
  deployContract(chain, walletCode(owner))

/** Deploys the factory of wallets that do not exist yet. */
export const deployFactory = (chain: TestChain): Promise<Address> =>
  deployContract(chain, hex(walletFactory.bytecode))

/** Deploys the code of accounts that verify signatures by their own key (EIP-7702). */
export const deployKeyWallet = (chain: TestChain): Promise<Address> =>
  deployContract(chain, hex(keyWallet.bytecode))

/** Creates an account whose key delegates to a contract (EIP-7702). */
export async function createDelegatedAccount(chain: TestChain, delegate: Address): Promise<LocalAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: account.address, value: parseEther('1') })
  const authorization = await account.signAuthorization({
    contractAddress: delegate,
    chainId: 84532,
    nonce: 0,
  })
  const relayer = chain.as(relayerAccount)
  await chain.confirm(
    relayer.sendTransaction({ to: relayer.account.address, authorizationList: [authorization] }),
  )
  const code = await chain.client.getCode({ address: account.address })
  if (!code?.startsWith('0xef0100')) throw new Error('The account does not delegate')
  return account
}

/** A wallet that a factory can deploy. */
export interface UndeployedWallet {
  address: Address
  factory: Address
  /** The call of the factory that deploys it. */
  data: Hex
}

/** Computes the address of a wallet and the call that deploys it. */
export function planWallet(factory: Address, initCode: Hex, salt: Hex): UndeployedWallet {
  const address = getContractAddress({ from: factory, opcode: 'CREATE2', bytecode: initCode, salt })
  const args = [salt, initCode] as const
  return {
    address,
    factory,
    data: encodeFunctionData({ abi: walletFactoryAbi, functionName: 'deploy', args }),
  }
}

/** Wraps a payment's signature with the deployment of its payer (ERC-6492). */
export function wrapSignature(
  payment: Payment,
  { factory, data }: Omit<UndeployedWallet, 'address'>,
): Payment {
  const signature = serializeErc6492Signature({ address: factory, data, signature: hex(payment.signature) })
  return { ...payment, signature: signature.toLowerCase() }
}

/** A call that no factory of these tests accepts. */
export const unknownCall = encodeFunctionData({ abi: multicall3Abi, functionName: 'getChainId' })
