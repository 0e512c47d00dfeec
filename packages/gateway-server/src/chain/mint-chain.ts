import { type Chains, describeChainError, type Logger, openChains, rpcErrorOf } from '@mintmark/server-kit'
import {
  type ContractFunctionArgs,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type Log,
  parseAbi,
  ResponseBodyTooLargeError,
} from 'viem'
import { chainReader } from './chain-access.ts'

/** A block, and when it was. */
export interface ChainMoment {
  readonly block: number
  /** Seconds since the epoch, by the chain's clock. */
  readonly time: number
}

/** A block that no reorganisation replaces. */
export interface FinalMoment extends ChainMoment {
  readonly hash: string
}

/** A mint that a contract logged. */
export interface MintLog {
  readonly uid: string
  /** The first token that it made. */
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

/** What the gateway reads from the chains that tokens are minted on. Every call may end in `ChainUnavailableError`. */
export interface MintChain {
  serves(chainId: string): boolean
  /** The newest block, with the time that the next one has at least. */
  newest(chainId: string): Promise<ChainMoment>
  final(chainId: string): Promise<FinalMoment>
  getBlockTime(chainId: string, block: number): Promise<number>
  /**
   * The mints in a range of blocks, both ends included. A node that lags answers for the blocks that it has and says nothing about
   * the others: a mint that is missing here may still exist.
   */
  listMints(chainId: string, filter: MintFilter, from: number, to: number): Promise<readonly MintLog[]>
  /** The mints in one block. The block is read by its hash, so a node that does not have it answers with an error. */
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

/** `verify` takes some 30,000 gas. A contract that burns more keeps neither the node nor us busy for long. */
const VERIFY_GAS = 5_000_000n

/** Of a gateway that is told of no chain: nothing can be minted. */
export const noMintChain: MintChain = createMintChain(openChains([]), { warn: () => {} })

const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Chains that are read by JSON-RPC. */
export function createMintChain(chains: Chains, log: Pick<Logger, 'warn'>): MintChain {
  const { serves, reading } = chainReader(chains, log)
  return {
    serves,
    newest: (chainId) =>
      reading(chainId, async ({ client }) => {
        const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
        // A chain that stands still while nobody uses it has its next block now.
        return { block: Number(number), time: Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) }
      }),
    final: (chainId) =>
      reading(chainId, async (chain) => {
        const { number, timestamp, hash } = await chain.finalBlock()
        return { block: Number(number), time: Number(timestamp), hash }
      }),
    getBlockTime: (chainId, block) =>
      reading(chainId, async ({ client }) =>
        Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp),
      ),
    listMints: (chainId, filter, from, to) =>
      reading(chainId, async ({ client }) => {
        const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
        return (await client.getLogs({ ...eventsOf(filter), ...range })).map(toSeenMint)
      }),
    listMintsInBlock: (chainId, filter, block) =>
      reading(chainId, async ({ client }) => {
        const { hash: blockHash } = await client.getBlock({ blockNumber: BigInt(block) })
        return (await client.getLogs({ ...eventsOf(filter), blockHash })).map(toSeenMint)
      }),
    verify: (chainId, mint, blockHash) =>
      reading(chainId, async ({ client }) => {
        try {
          const data = await client.request({
            method: 'eth_call',
            params: [verifyCall(mint), { blockHash: asHex(blockHash), requireCanonical: true }],
          })
          return readVerification(data, mint.minter)
        } catch (error) {
          // The contract may revert or return any number of bytes, and a node may refuse the call: each proves nothing.
          if (rpcErrorOf(error) === undefined && !(error instanceof ResponseBodyTooLargeError)) throw error
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
