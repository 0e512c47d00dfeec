import { type Chains, type Logger, openChains } from '@mintmark/server-kit'
import { type Hex, parseAbiItem } from 'viem'
import { chainReader } from './chain-reader.ts'

/** A block, and when it was. */
export interface ChainMoment {
  readonly block: number
  /** Seconds since the epoch, by the chain's clock. */
  readonly time: number
}

/** A mint that a contract noted. */
export interface SeenMint {
  readonly uid: string
  /** The first token that it made. */
  readonly tokenId: string
  readonly hash: string
}

/** What the gateway asks of the chains that tokens are minted on. Every call may end in `ChainUnreadable`. */
export interface MintChain {
  serves(chainId: string): boolean
  /** The newest block, with the time that the next one has at least. */
  newest(chainId: string): Promise<ChainMoment>
  /** The newest block that stays. */
  final(chainId: string): Promise<ChainMoment>
  timeOf(chainId: string, block: number): Promise<number>
  /** The mints that a contract made for a recipient by a minter's signatures, from one block to another, both included. */
  mintsOf(
    chainId: string,
    by: { contract: string; minter: string; recipient: string },
    from: number,
    to: number,
  ): Promise<readonly SeenMint[]>
}

/** thirdweb's ISignatureMintERC721. */
const minted = parseAbiItem(
  'event TokensMintedWithSignature(address indexed signer, address indexed mintedTo, uint256 indexed tokenIdMinted, (address to, address royaltyRecipient, uint256 royaltyBps, address primarySaleRecipient, string uri, uint256 quantity, uint256 pricePerToken, address currency, uint128 validityStartTimestamp, uint128 validityEndTimestamp, bytes32 uid) mintRequest)',
)

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
        const { number, timestamp } = await chain.finalBlock()
        return { block: Number(number), time: Number(timestamp) }
      }),
    timeOf: (chainId, block) =>
      reading(chainId, async ({ client }) =>
        Number((await client.getBlock({ blockNumber: BigInt(block) })).timestamp),
      ),
    mintsOf: (chainId, { contract, minter, recipient }, from, to) =>
      reading(chainId, async ({ client }) => {
        const logs = await client.getLogs({
          address: asHex(contract),
          event: minted,
          args: { signer: asHex(minter), mintedTo: asHex(recipient) },
          fromBlock: BigInt(from),
          toBlock: BigInt(to),
          strict: true,
        })
        return logs.map(({ args, transactionHash }) => ({
          uid: args.mintRequest.uid,
          tokenId: args.tokenIdMinted.toString(),
          hash: transactionHash,
        }))
      }),
  }
}
