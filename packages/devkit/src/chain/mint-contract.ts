import { type Address, getAddress, type Hex, isHex } from 'viem'
import { signatureMint721Abi } from './artifacts/abi.ts'
import artifact from './artifacts/SignatureMint721.json' with { type: 'json' }
import type { TestChain } from './testing.ts'

/** The part of the gateway's response that the contract needs. */
interface Signed {
  readonly payload: {
    to: string
    royaltyRecipient: string
    royaltyBps: string
    primarySaleRecipient: string
    uri: string
    quantity: string
    pricePerToken: string
    currency: string
    validityStartTimestamp: string
    validityEndTimestamp: string
    uid: string
  }
  readonly signature: string
}

/** Returns a hexadecimal text with viem's type. @throws Error if it is not hexadecimal. */
export function parseHex(text: string): Hex {
  if (!isHex(text)) throw new Error(`${text} is not hexadecimal`)
  return text
}

/** Deploys a contract that mints with a minter's signatures. */
export async function deployMintContract(chain: TestChain, minter: string): Promise<Address> {
  const hash = await chain.as(0).deployContract({
    abi: signatureMint721Abi,
    bytecode: parseHex(artifact.bytecode),
    args: ['Prints', 'PRINT', getAddress(minter)],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

/** Converts a signature's payload to the contract's MintRequest. */
export function toMintRequest({ payload }: Signed) {
  return {
    to: getAddress(payload.to),
    royaltyRecipient: getAddress(payload.royaltyRecipient),
    royaltyBps: BigInt(payload.royaltyBps),
    primarySaleRecipient: getAddress(payload.primarySaleRecipient),
    uri: payload.uri,
    quantity: BigInt(payload.quantity),
    pricePerToken: BigInt(payload.pricePerToken),
    currency: getAddress(payload.currency),
    validityStartTimestamp: BigInt(payload.validityStartTimestamp),
    validityEndTimestamp: BigInt(payload.validityEndTimestamp),
    uid: parseHex(payload.uid),
  }
}

/** Sends a signature to its contract with the price in the native token. Returns the transaction's hash. */
export async function sendMint(
  chain: TestChain,
  contract: Address,
  signed: Signed,
  { from = 3, request = toMintRequest(signed) } = {},
): Promise<Hex> {
  const hash = await chain.as(from).writeContract({
    address: contract,
    abi: signatureMint721Abi,
    functionName: 'mintWithSignature',
    args: [request, parseHex(signed.signature)],
    value: request.pricePerToken * request.quantity,
  })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}
