import collectible from '@mintmark/devkit/chain/artifacts/DevCollectible.json' with { type: 'json' }
import edition from '@mintmark/devkit/chain/artifacts/DevEdition.json' with { type: 'json' }
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { createLog, type Database, openDatabase } from '@mintmark/server-kit'
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type Hex,
  parseAbi,
} from 'viem'
import type { Tables } from '../database/tables.ts'
import { createIndexer, type Indexer } from '../indexer/indexer.ts'
import { DEFAULT_INDEXER_SETTINGS, type IndexerSettings } from '../indexer/indexer-settings.ts'
import { domainOperations } from '../main/composition.ts'

export const collectibleAbi = parseAbi([
  'function mint(address to, uint256 tokenId)',
  'function mintMany(address to, uint256 first, uint256 count)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function transferMany(address to, uint256 first, uint256 count)',
  'function burn(uint256 tokenId)',
  'function ownersOf(uint256 first, uint256 count) view returns (address[])',
])
export const editionAbi = parseAbi([
  'function mint(address to, uint256 id, uint256 value)',
  'function mintBatch(address to, uint256[] ids, uint256[] values)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
])

/** A token contract on a test's chain. */
export interface TokenContract<Functions extends Abi> {
  readonly address: Address
  /** The address as responses contain it. */
  readonly lowerCase: string
  /** Calls the contract from one of anvil's accounts. Each call is mined in its own block. */
  call<const Name extends ContractFunctionName<Functions, 'nonpayable'>>(
    account: number,
    name: Name,
    args: ContractFunctionArgs<Functions, 'nonpayable', Name>,
  ): Promise<Hex>
}

export async function deployCollectible(chain: TestChain): Promise<TokenContract<typeof collectibleAbi>> {
  return contractAt(chain, collectibleAbi, await deploy(chain, collectible.bytecode))
}

export async function deployEdition(chain: TestChain): Promise<TokenContract<typeof editionAbi>> {
  return contractAt(chain, editionAbi, await deploy(chain, edition.bytecode))
}

async function deploy(chain: TestChain, bytecode: string): Promise<Address> {
  // The artifact contains hexadecimal text.
  const hash = await chain.as(0).sendTransaction({ data: bytecode as Hex, gas: 5_000_000n })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

function contractAt<const Functions extends Abi>(
  chain: TestChain,
  abi: Functions,
  address: Address,
): TokenContract<Functions> {
  return {
    address,
    lowerCase: address.toLowerCase(),
    async call(account, functionName, args) {
      // viem's types of a call cannot be inferred for a generic ABI. The parameters of `call` are checked
      // against it.
      const call = { address, abi, functionName, args, gas: 5_000_000n } as never
      const hash = await chain.as(account).writeContract(call)
      const { status } = await chain.client.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`${functionName} was reverted`)
      return hash
    },
  }
}

/** Creates an indexer for a test's database and node. */
export function testIndexer(
  { url, rpcUrl, chainId, depth = 1 }: { url: string; rpcUrl: string; chainId: number; depth?: number },
  settings: Partial<IndexerSettings> = {},
): { indexer: Indexer; database: Database<Tables>; logged: string[] } {
  const logged: string[] = []
  const database = openDatabase<Tables>({ url, max: 2 })
  const indexer = createIndexer({
    database,
    domains: domainOperations,
    chains: openChains([{ id: chainId, rpcUrls: [rpcUrl], finality: { depth } }]),
    settings: { ...DEFAULT_INDEXER_SETTINGS, ...settings },
    log: createLog('gateway', 'debug', { write: (line: string) => void logged.push(line) }),
  })
  return { indexer, database, logged }
}
