import { type Address, getBase58Decoder, type Signature } from '@solana/kit'
import {
  BLOCKHASH_LIFETIME,
  type LandedTransaction,
  parseAddress,
  type SolanaLedger,
} from './solana-ledger.ts'
import { decodeDecimals, decodeTokenAmount, decodeTokenMint } from './token-accounts.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** What a node of a Solana chain knows. Tests change it. Accounts are always those of the newest block. */
export interface SolanaView {
  /** The number of newest slots that the node has not received. */
  lag: number
  /**
   * The number of further slots that are missing when it searches transactions, as behind a load balancer.
   */
  statusLag: number
  /** The number of slots that are processed but not confirmed. */
  confirmedLag: number
  /** The number of slots that are not finalized. */
  finalizedLag: number
  /** The oldest slot whose transactions the node stores. */
  firstAvailableSlot: number
  /** How old, in seconds, it reports every block to be. */
  blockAgeSeconds: number
  /** Whether it finds no transactions, although it has their blocks. */
  forgetsTransactions: boolean
  /** Whether it accepts transactions and does not forward them. */
  losesSends: boolean
  /** Whether it accepts connections and never responds. */
  isSilent: boolean
  /** The methods that fail with an internal error. */
  readonly failing: Set<string>
}

/** The genesis hash of Solana's devnet: clients accept only public networks. */
export const SOLANA_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'

export const newView = (): SolanaView => ({
  lag: 0,
  statusLag: 0,
  confirmedLag: 0,
  finalizedLag: 32,
  firstAvailableSlot: 0,
  blockAgeSeconds: 0,
  forgetsTransactions: false,
  losesSends: false,
  isSilent: false,
  failing: new Set(),
})

interface NodeRequest {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

interface Parts {
  readonly ledger: SolanaLedger
  readonly view: SolanaView
}

/** The options that requests have as their last parameter. */
interface Options {
  readonly commitment?: Commitment
  readonly encoding?: string
  readonly skipPreflight?: boolean
  readonly preflightCommitment?: Commitment
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
  readonly searchTransactionHistory?: boolean
  readonly minContextSlot?: number
}

class RpcFailure extends Error {
  readonly code: number
  readonly data: object | undefined
  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Returns the response of a node to one call, as Agave formats it. */
export function respondToCall(ledger: SolanaLedger, view: SolanaView, request: NodeRequest): object {
  const { id, method, params = [] } = request
  try {
    if (view.failing.has(method)) throw new RpcFailure(-32603, 'Internal error')
    const respond = METHODS[method]
    if (respond === undefined) throw new RpcFailure(-32601, 'Method not found')
    return { jsonrpc: '2.0', id, result: respond({ ledger, view }, params) }
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } }
  }
}

const toOptions = (value: unknown): Options => (typeof value === 'object' && value !== null ? value : {})

/** The newest slot of a commitment. Nodes use `finalized` if a request has none. */
function getSlot({ ledger, view }: Parts, { commitment = 'finalized', minContextSlot }: Options): number {
  const processed = ledger.slot - view.lag
  const lags = { processed: 0, confirmed: view.confirmedLag, finalized: view.finalizedLag }
  const slot = Math.max(0, processed - lags[commitment])
  if (minContextSlot !== undefined && slot < minContextSlot) {
    throw new RpcFailure(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
  }
  return slot
}

const withContext = (parts: Parts, options: Options, value: unknown) => ({
  context: { slot: getSlot(parts, options), apiVersion: '3.0.0' },
  value,
})

const METHODS: Readonly<Record<string, (parts: Parts, params: readonly unknown[]) => unknown>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
  getGenesisHash: () => SOLANA_GENESIS,
  getSlot: (parts, [options]) => getSlot(parts, toOptions(options)),
  getBlockHeight: (parts, [options]) => getSlot(parts, toOptions(options)),
  getEpochInfo: (parts, [given]) => {
    const slot = getSlot(parts, toOptions(given))
    return { absoluteSlot: slot, blockHeight: slot, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 }
  },
  getBlock: (parts, [number, given]) => {
    const slot = Number(number)
    const isFirst = slot <= 0 || slot < parts.view.firstAvailableSlot
    if (isFirst) throw new RpcFailure(-32001, `Block ${slot} cleaned up, does not exist on node`)
    if (slot > getSlot(parts, toOptions(given)))
      throw new RpcFailure(-32004, `Block not available for slot ${slot}`)
    const { ledger } = parts
    if (ledger.skippedSlots.has(slot))
      throw new RpcFailure(
        -32007,
        `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      )
    const parentSlot = findParentSlot(ledger, slot)
    const [blockhash, previousBlockhash] = [ledger.getBlockhash(slot), ledger.getBlockhash(parentSlot)]
    return { blockhash, previousBlockhash, blockHeight: slot, parentSlot, blockTime: null }
  },
  getBlocksWithLimit: (parts, [start, limit, given]) => {
    const newest = getSlot(parts, toOptions(given))
    const first = Math.max(Number(start), parts.view.firstAvailableSlot)
    const slots: number[] = []
    for (let slot = first; slot <= newest && slots.length < Number(limit); slot += 1) {
      if (!parts.ledger.skippedSlots.has(slot)) slots.push(slot)
    }
    return slots
  },
  getBlockTime: ({ view }) => Math.floor(Date.now() / 1000) - view.blockAgeSeconds,
  getFirstAvailableBlock: ({ view }) => view.firstAvailableSlot,
  getRecentPrioritizationFees: () => [],
  getMinimumBalanceForRentExemption: (_, [size]) => (128 + Number(size)) * 6_960,
  getLatestBlockhash: (parts, [given]) => {
    const options = toOptions(given)
    const slot = getSlot(parts, options)
    const blockhash = parts.ledger.getBlockhash(slot)
    return withContext(parts, options, { blockhash, lastValidBlockHeight: slot + BLOCKHASH_LIFETIME })
  },
  isBlockhashValid: (parts, [blockhash, given]) => {
    const options = toOptions(given)
    const slot = getSlot(parts, options)
    return withContext(parts, options, parts.ledger.isBlockhashValid(String(blockhash), slot))
  },
  getBalance: (parts, [account, options]) => {
    const lamports = parts.ledger.findAccount(parseAddress(account))?.lamports ?? 0n
    return withContext(parts, toOptions(options), Number(lamports))
  },
  getAccountInfo: (parts, [account, options]) =>
    withContext(parts, toOptions(options), formatAccount(parts, parseAddress(account))),
  getMultipleAccounts: (parts, [accounts, options]) => {
    const addresses = Array.isArray(accounts) ? accounts.map(parseAddress) : []
    const values = addresses.map((account) => formatAccount(parts, account))
    return withContext(parts, toOptions(options), values)
  },
  getTokenAccountBalance: (parts, [account, options]) =>
    withContext(parts, toOptions(options), formatTokenAmount(parts, parseAddress(account))),
  sendTransaction,
  simulateTransaction,
  getSignatureStatuses,
  getTransaction,
}

function findParentSlot({ skippedSlots }: SolanaLedger, slot: number): number {
  let parent = slot - 1
  while (skippedSlots.has(parent)) parent -= 1
  return parent
}

function formatAccount({ ledger }: Parts, account: Address): object | null {
  const found = ledger.findAccount(account)
  if (found === undefined) return null
  const { lamports, data, owner, executable } = found
  return {
    lamports: Number(lamports),
    data: [Buffer.from(data).toString('base64'), 'base64'],
    owner,
    executable,
    rentEpoch: 0,
    space: data.length,
  }
}

function formatTokenAmount({ ledger }: Parts, account: Address): object {
  const found = ledger.findAccount(account)
  if (found === undefined) throw new RpcFailure(-32602, 'Invalid param: could not find account')
  const mint = ledger.findAccount(parseAddress(getBase58Decoder().decode(decodeTokenMint(found.data))))
  if (mint === undefined) throw new RpcFailure(-32602, 'Invalid param: not a Token account')
  const amount = decodeTokenAmount(found.data)
  const decimals = decodeDecimals(mint.data)
  const uiAmount = Number(amount) / 10 ** decimals
  return { amount: amount.toString(), decimals, uiAmount, uiAmountString: String(uiAmount) }
}

function decodeWire(text: unknown, { encoding }: Options): Uint8Array {
  if (encoding !== 'base64') throw new RpcFailure(-32602, 'Only the encoding base64 is supported')
  return Buffer.from(String(text), 'base64')
}

function sendTransaction(parts: Parts, [text, given]: readonly unknown[]): string {
  const { ledger, view } = parts
  const options = toOptions(given)
  const bytes = decodeWire(text, options)
  if (options.skipPreflight !== true) {
    const slot = getSlot(parts, { commitment: options.preflightCommitment ?? 'finalized' })
    const { error, logs } = ledger.simulate(bytes, { verifySignatures: true, checkBlockhash: true, slot })
    if (error !== undefined)
      throw new RpcFailure(-32002, 'Transaction simulation failed', { err: error, logs })
  }
  if (view.losesSends) return getBase58Decoder().decode(bytes.subarray(1, 65))
  return ledger.send(bytes)
}

function simulateTransaction(parts: Parts, [text, given]: readonly unknown[]): object {
  const options = toOptions(given)
  const { error, logs, unitsConsumed } = parts.ledger.simulate(decodeWire(text, options), {
    verifySignatures: options.sigVerify === true,
    checkBlockhash: options.replaceRecentBlockhash !== true,
    slot: getSlot(parts, options),
  })
  const value = { err: error ?? null, logs, unitsConsumed: Number(unitsConsumed), accounts: null }
  return withContext(parts, options, value)
}

/** Finds a transaction if the node stores its block. */
function findLanded({ ledger, view }: Parts, signature: unknown): LandedTransaction | undefined {
  if (view.forgetsTransactions) return undefined
  const landed = ledger.landed.get(String(signature) as Signature)
  const isStored = landed && landed.slot >= view.firstAvailableSlot && landed.slot <= ledger.slot - view.lag
  return isStored ? landed : undefined
}

/** Without a search of the history, nodes remember the statuses of this many slots. */
const RECENT_STATUSES = 150

function getSignatureStatuses({ ledger, view }: Parts, [signatures, given]: readonly unknown[]): object {
  const options = toOptions(given)
  const parts = { ledger, view: { ...view, lag: view.lag + view.statusLag } }
  const processed = getSlot(parts, { commitment: 'processed' })
  const values = Array.isArray(signatures)
    ? signatures.map((signature) => {
        const landed = findLanded(parts, signature)
        const isOld = landed !== undefined && landed.slot < processed - RECENT_STATUSES
        if (landed === undefined || (isOld && options.searchTransactionHistory !== true)) return null
        return formatStatus(parts, landed)
      })
    : []
  // The context is the newest processed slot, whatever the commitment.
  return withContext(parts, { commitment: 'processed' }, values)
}

function formatStatus(parts: Parts, { slot, error }: LandedTransaction): object {
  const err = error ?? null
  const isFinalized = slot <= getSlot(parts, { commitment: 'finalized' })
  const isConfirmed = slot <= getSlot(parts, { commitment: 'confirmed' })
  const confirmationStatus = isFinalized ? 'finalized' : isConfirmed ? 'confirmed' : 'processed'
  const confirmations = isFinalized ? null : getSlot(parts, { commitment: 'processed' }) - slot
  return { slot, confirmations, err, status: err === null ? { Ok: null } : { Err: err }, confirmationStatus }
}

function getTransaction(parts: Parts, [signature, given]: readonly unknown[]): object | null {
  const options = toOptions(given)
  const landed = findLanded(parts, signature)
  if (landed === undefined || landed.slot > getSlot(parts, options)) return null
  const { slot, error, logs, bytes } = landed
  return {
    slot,
    blockTime: null,
    version: 0,
    transaction: [Buffer.from(bytes).toString('base64'), 'base64'],
    meta: { err: error ?? null, logMessages: logs },
  }
}
