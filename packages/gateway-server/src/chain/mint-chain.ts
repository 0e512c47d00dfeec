import { type Chains, describeChainError, findRpcError, type Logger, openChains } from '@mintmark/server-kit'
import {
  type ContractFunctionArgs,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type Log,
  parseAbi,
  ResponseBodyTooLargeError,
} from 'viem'
import { createChainAccess } from './chain-access.ts'

/** A block and its time. */
export interface ChainMoment {
  readonly block: number
  /** Seconds since the epoch, by the chain's clock. */
  readonly time: number
}

/** A block that no reorganization replaces. */
export interface FinalMoment extends ChainMoment {
  readonly hash: string
}

/** A mint as a contract logged it. */
export interface MintLog {
  readonly uid: string
  /** The first token that was minted. */
  readonly tokenId: string
  readonly hash: string
  readonly block: number
}

/** Selects the mints of a contract by a minter's signatures, for one recipient or for all. */
export interface MintFilter {
  readonly contract: string
  readonly minter: string
  readonly recipient?: string
}

/** A mint signature with what it signs. */
export interface SignedMint {
  readonly contract: string
  readonly minter: string
  readonly request: ContractFunctionArgs<typeof signatureMintAbi, 'view', 'verify'>[0]
  readonly signature: Hex
}

/** Whether the contract confirms that a signature was not used. Without that, nothing is known: `reason` says why. */
export type Verification = { readonly unused: true } | { readonly unused: false; readonly reason: string }

/** Reads the chains that tokens are minted on. Every method can throw `ChainUnavailableError`. */
export interface MintChain {
  serves(chainId: string): boolean
  /** The newest block, with the earliest possible time of the next one. */
  newest(chainId: string): Promise<ChainMoment>
  final(chainId: string): Promise<FinalMoment>
  getBlockTime(chainId: string, block: number): Promise<number>
  /**
   * The mints in a range of blocks, both ends included. A lagging node returns the mints of the blocks that it has, without an
   * error: a mint that is missing here may still exist.
   */
  listMints(chainId: string, filter: MintFilter, from: number, to: number): Promise<readonly MintLog[]>
  /** The mints in one block. The block is read by its hash, so that a node without it returns an error. */
  listMintsInBlock(chainId: string, filter: MintFilter, block: number): Promise<readonly MintLog[]>
  /** Calls the contract's `verify` with the state of one block. A node that does not have the block proves nothing. */
  verify(chainId: string, mint: SignedMint, blockHash: string): Promise<Verification>
}

/** thirdweb's ISignatureMintERC721. */
const signatureMintAbi = parseAbi([
  'struct MintRequest { address to; address royaltyRecipient; uint256 royaltyBps; address primarySaleRecipient; string uri; uint256 quantity; uint256 pricePerToken; address currency; uint128 validityStartTimestamp; uint128 validityEndTimestamp; bytes32 uid; }',
  'event TokensMintedWithSignature(address indexed signer, address indexed mintedTo, uint256 indexed tokenIdMinted, MintRequest mintRequest)',
  'function verify(MintRequest req, bytes signature) view returns (bool success, address signer)',
])
const [minted] = signatureMintAbi

/** `verify` needs about 30,000 gas. The limit stops contracts that would keep the node busy. */
const VERIFY_GAS = 5_000_000n

/** For a gateway without CHAINS: nothing can be minted. */
export const noMintChain: MintChain = createMintChain(openChains([]), { warn: () => {} })

const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Creates a reader of chains by JSON-RPC. */
export function createMintChain(chains: Chains, log: Pick<Logger, 'warn'>): MintChain {
  const { serves, read } = createChainAccess(chains, log)
  return {
    serves,
    newest: (chainId) =>
      read(chainId, async ({ client }) => {
        const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
        // A development chain mines only on demand, so its newest block can be old. Its next block has the present time.
        return { block: Number(number), time: Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) }
      }),
    final: (chainId) =>
      read(chainId, async (chain) => {
        const { number, timestamp, hash } = await chain.finalBlock()
        return { block: Number(number), time: Number(timestamp), hash }
      }),
    getBlockTime: (chainId, block) =>
      read(chainId, async ({ client }) =>
        Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp),
      ),
    listMints: (chainId, filter, from, to) =>
      read(chainId, async ({ client }) => {
        const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
        return (await client.getLogs({ ...eventsOf(filter), ...range })).map(toSeenMint)
      }),
    listMintsInBlock: (chainId, filter, block) =>
      read(chainId, async ({ client }) => {
        const { hash: blockHash } = await client.getBlock({ blockNumber: BigInt(block) })
        return (await client.getLogs({ ...eventsOf(filter), blockHash })).map(toSeenMint)
      }),
    verify: (chainId, mint, blockHash) =>
      read(chainId, async ({ client }) => {
        try {
          const data = await client.request({
            method: 'eth_call',
            params: [verifyCall(mint), { blockHash: asHex(blockHash), requireCanonical: true }],
          })
          return readVerification(data, mint.minter)
        } catch (error) {
          // The contract may revert or return any bytes, and a node may refuse the call. None of that proves that the signature is unused.
          if (findRpcError(error) === undefined && !(error instanceof ResponseBodyTooLargeError)) throw error
          return { unused: false, reason: describeChainError(error) }
        }
      }),
  }
}

function eventsOf({ contract, minter, recipient }: MintFilter) {
  return {
    address: asHex(contract),
    event: minted,
    args: { signer: asHex(minter), mintedTo: recipient === undefined ? undefined : asHex(recipient) },
    strict: true,
  } as const
}

function toSeenMint({
  args,
  transactionHash,
  blockNumber,
}: Log<bigint, number, false, typeof minted, true>): MintLog {
  return {
    uid: args.mintRequest.uid,
    tokenId: args.tokenIdMinted.toString(),
    hash: transactionHash,
    block: Number(blockNumber),
  }
}

function verifyCall({ contract, request, signature }: SignedMint) {
  const args = [request, signature] as const
  const data = encodeFunctionData({ abi: signatureMintAbi, functionName: 'verify', args })
  return { to: asHex(contract), data, gas: `0x${VERIFY_GAS.toString(16)}` } as const
}

/** `verify` is true only while the signature is unused and its minter may sign. Whether it has expired does not matter to it. */
function readVerification(data: Hex, minter: string): Verification {
  try {
    const [success, signer] = decodeFunctionResult({ abi: signatureMintAbi, functionName: 'verify', data })
    if (success && signer.toLowerCase() === minter) return { unused: true }
    return {
      unused: false,
      reason: 'the contract does not accept the signature: used, or its minter may not sign',
    }
  } catch {
    return { unused: false, reason: 'the contract has no verify as thirdweb defines it' }
  }
}
