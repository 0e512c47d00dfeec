import {
  type Chain,
  type Chains,
  callAtBlock,
  createLogReader,
  describeChainError,
  getHeaderAsOf,
  type LogReader,
  type NodeLog,
  openChains,
} from '@mintmark/evm-reader'
import type { Logger } from '@mintmark/server-kit'
import {
  type ContractFunctionArgs,
  decodeEventLog,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
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

/** The mints in the blocks up to `to`. */
export interface MintRange {
  readonly mints: readonly MintLog[]
  readonly to: number
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

/**
 * Whether the contract confirms that a signature was not used. Without that, nothing is known: `reason` says
 * why.
 */
export type Verification = { readonly unused: true } | { readonly unused: false; readonly reason: string }

/** Reads the chains that tokens are minted on. Every method can throw `ChainUnavailableError`. */
export interface MintChain {
  serves(chainId: string): boolean
  /** The newest block, with the earliest possible time of the next one. */
  newest(chainId: string): Promise<ChainMoment>
  final(chainId: string): Promise<FinalMoment>
  /** The time of a block up to the final one, from a node that has that. */
  getBlockTime(chainId: string, block: number, final: FinalMoment): Promise<number>
  /**
   * The mints from a block on, in as many blocks as a node returns, at most up to `to`. A node for logs may
   * lag behind the node that returned the last block: a mint that is missing here may still exist.
   *
   * @param final The node must have this block, so that it returns no mint of a replaced block. Default: any
   * node.
   */
  listMints(
    chainId: string,
    filter: MintFilter,
    blocks: { readonly from: number; readonly to: number },
    final?: FinalMoment,
  ): Promise<MintRange>
  /**
   * The mints in one block up to the final one. The block is read by its hash, so that a node without it
   * returns an error, and a node that has the final block returns the hash.
   */
  listMintsInBlock(
    chainId: string,
    filter: MintFilter,
    block: number,
    final: FinalMoment,
  ): Promise<readonly MintLog[]>
  /**
   * Calls the contract's `verify` with the state of one block. A node that does not have the block proves
   * nothing.
   */
  verify(chainId: string, mint: SignedMint, blockHash: string): Promise<Verification>
}

/** thirdweb's ISignatureMintERC721. */
const signatureMintAbi = parseAbi([
  'struct MintRequest { address to; address royaltyRecipient; uint256 royaltyBps; address primarySaleRecipient; string uri; uint256 quantity; uint256 pricePerToken; address currency; uint128 validityStartTimestamp; uint128 validityEndTimestamp; bytes32 uid; }',
  'event TokensMintedWithSignature(address indexed signer, address indexed mintedTo, uint256 indexed tokenIdMinted, MintRequest mintRequest)',
  'function verify(MintRequest req, bytes signature) view returns (bool success, address signer)',
])
const [minted] = signatureMintAbi

/** Most blocks in one request. Fewer are requested when a node refuses. */
const RANGE_BLOCKS = 1_000

/** `verify` needs about 30,000 gas. The limit stops contracts that would keep the node busy. */
const VERIFY_GAS = 5_000_000n

/** For a gateway without CHAINS: nothing can be minted. */
export const noMintChain: MintChain = createMintChain(openChains([]), { warn: () => {} })

const asHex = (text: string): Hex => `0x${text.slice(2)}`

/** Creates a reader of chains by JSON-RPC. */
export function createMintChain(chains: Chains, log: Pick<Logger, 'warn'>): MintChain {
  const { serves, read } = createChainAccess(chains, log)
  const readerOf = createReaders()
  return {
    serves,
    newest: (chainId) =>
      read(chainId, async ({ client }) => {
        const { number, timestamp } = await client.getBlock({ blockTag: 'latest' })
        // A development chain mines only on demand, so its newest block can be old. Its next block has the
        // present time.
        return { block: Number(number), time: Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) }
      }),
    final: (chainId) =>
      read(chainId, async (chain) => {
        const { number, timestamp, hash } = await chain.finalBlock()
        return { block: Number(number), time: Number(timestamp), hash }
      }),
    getBlockTime: (chainId, block, final) =>
      read(chainId, async (chain) => (await getHeaderAsOf(chain, block, toPlace(final))).time),
    listMints: (chainId, filter, { from, to }, final) =>
      read(chainId, async (chain) => {
        const newest = final === undefined ? { number: to, time: 0 } : { ...toPlace(final), time: final.time }
        const range = await readerOf(chain).read({ filter: toLogFilter(filter), from, to, newest })
        return { mints: range.logs.flatMap(toMintLogs), to: range.to }
      }),
    listMintsInBlock: (chainId, filter, block, final) =>
      read(chainId, async (chain) => {
        const logs = await readerOf(chain).readBlock(toLogFilter(filter), block, toPlace(final))
        return logs.flatMap(toMintLogs)
      }),
    verify: (chainId, mint, blockHash) => read(chainId, (chain) => verify(chain, mint, blockHash)),
  }
}

const toPlace = ({ block, hash }: FinalMoment) => ({ number: block, hash })

/**
 * Remembers the readers of chains. The absence of a mint decides nothing, so that new blocks need not be read
 * by hash.
 */
function createReaders(): (chain: Chain) => LogReader {
  const readers = new Map<number, LogReader>()
  return (chain) => {
    const reader =
      readers.get(chain.id) ?? createLogReader(chain, { maxBlocks: RANGE_BLOCKS, recentSeconds: 0 })
    readers.set(chain.id, reader)
    return reader
  }
}

async function verify(chain: Chain, mint: SignedMint, blockHash: string): Promise<Verification> {
  try {
    const result = await callAtBlock(chain, verifyCall(mint), blockHash)
    if (result.kind === 'returned') return readVerification(result.data, mint.minter)
    // The contract may revert, and a node may lack the block. Neither proves that the signature is unused.
    const { code, message } = result.error
    return { unused: false, reason: `the node returned ${code}: ${message}` }
  } catch (error) {
    if (!(error instanceof ResponseBodyTooLargeError)) throw error
    return { unused: false, reason: describeChainError(error) }
  }
}

function toLogFilter({ contract, minter, recipient }: MintFilter) {
  const mintedTo = recipient === undefined ? undefined : asHex(recipient)
  const topics = encodeEventTopics({ abi: [minted], args: { signer: asHex(minter), mintedTo } })
  return { addresses: [contract], topics }
}

/** Decodes the log of a mint. Returns nothing for a log of another form, which any contract can emit. */
function toMintLogs({ data, topics, transactionHash, blockNumber }: NodeLog): MintLog[] {
  try {
    // Nodes return topics as hexadecimal text, the event first.
    const [event, ...indexed] = topics as [Hex, ...Hex[]]
    const { args } = decodeEventLog({ abi: [minted], data, topics: [event, ...indexed] })
    return [
      {
        uid: args.mintRequest.uid,
        tokenId: args.tokenIdMinted.toString(),
        hash: transactionHash,
        block: Number(blockNumber),
      },
    ]
  } catch {
    return []
  }
}

function verifyCall({ contract, request, signature }: SignedMint) {
  const args = [request, signature] as const
  const data = encodeFunctionData({ abi: signatureMintAbi, functionName: 'verify', args })
  return { to: asHex(contract), data, gas: VERIFY_GAS }
}

/**
 * `verify` is true only while the signature is unused and its minter may sign. Whether it has expired does
 * not matter to it.
 */
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
