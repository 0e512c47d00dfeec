import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Address, createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit'
import { type Cleanup, serveLocally } from '../serve-locally.ts'
import { SolanaLedger } from './solana-ledger.ts'
import { newView, respondToCall, SOLANA_GENESIS, type SolanaView } from './solana-node.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './token-accounts.ts'

/** One node of a chain. Nodes differ in what they know. */
export interface SolanaTestNode {
  readonly rpcUrl: string
  readonly view: SolanaView
}

/** A running Solana chain. */
export interface SolanaTestChain extends SolanaTestNode {
  readonly ledger: SolanaLedger
  /** CAIP-2. */
  readonly network: `solana:${string}`
  /** Starts another node of the chain. */
  addNode(): Promise<SolanaTestNode>
}

/** The mint of USDC on Solana's devnet, of the token program. */
export const solanaUsdc = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' as Address
/** The mint of PYUSD on Solana's devnet, of Token-2022. Here it has no extensions. */
export const solanaPyusd = 'CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM' as Address

/**
 * Starts a Solana chain in memory that has USDC and a token of Token-2022, with 6 decimals each. It
 * identifies itself as devnet, because stock clients accept only public networks.
 */
export async function startSolanaChain(stops: Cleanup): Promise<SolanaTestChain> {
  const ledger = new SolanaLedger()
  ledger.setMint(solanaUsdc, { program: TOKEN_PROGRAM, decimals: 6 })
  ledger.setMint(solanaPyusd, { program: TOKEN_2022_PROGRAM, decimals: 6 })
  // So many slots that the finalized slot is not the first.
  ledger.advance(100)
  const addNode = () => startNode(ledger, stops)
  const node = await addNode()
  return { ...node, ledger, network: `solana:${SOLANA_GENESIS.slice(0, 32)}`, addNode }
}

/** Returns the key pair of a test account. Equal numbers return equal keys. */
export function solanaAccount(index: number): Promise<KeyPairSigner> {
  const seed = Buffer.alloc(32, 'mintmark test account')
  seed.writeUInt32LE(index, 28)
  return createKeyPairSignerFromPrivateKeyBytes(seed)
}

async function startNode(ledger: SolanaLedger, stops: Cleanup): Promise<SolanaTestNode> {
  const view = newView()
  const rpcUrl = await serveLocally((request, response) => {
    if (view.isSilent) return
    answer(ledger, view, request).then(
      (body) => sendJson(response, 200, body),
      (error: unknown) => sendJson(response, 500, { error: String(error) }),
    )
  }, stops)
  return { rpcUrl, view }
}

async function answer(ledger: SolanaLedger, view: SolanaView, request: IncomingMessage): Promise<object> {
  const body = JSON.parse(await text(request))
  return Array.isArray(body)
    ? body.map((call) => respondToCall(ledger, view, call))
    : respondToCall(ledger, view, body)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
