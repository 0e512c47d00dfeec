import type { Page } from '@mintmark/envelope'
import { NotFoundError } from '@mintmark/envelope'
import {
  type Eligibility,
  type eligibilityQuery,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  NOT_WHITELISTED,
  OUT_OF_STOCK,
  type WhitelistEntry,
  type whitelistedWallet,
  type whitelistFields,
} from '@mintmark/minting'
import type { Rule } from '@mintmark/operation'
import { parseTimeRange, readPageQuery, refusal, toPage } from '@mintmark/server-kit'
import { EVM_ADDRESS, isEvmAddress } from '../../../http/address-rules.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { type Calling, findCollection, type InputOfFields } from '../collections/collection-handlers.ts'
import type { Program } from '../collections/collections-store.ts'
import { MAX_WHITELIST } from '../phases/phase-rules.ts'
import * as phases from '../phases/phases-store.ts'
import { listLeaves } from './merkle.ts'
import { evaluateWhitelist } from './whitelist-rules.ts'
import * as store from './whitelist-store.ts'

const NO_PHASE = 'The presale has no phase of this name'
const WHITELIST_FULL = `A phase accepts at most ${MAX_WHITELIST} wallets. For more, set the merkleRoot of your own tree`
/** The `remaining` of a wallet without a limit. */
const NO_LIMIT = -1

type ListQuery = {
  nftAddress: string
  phase?: string | undefined
  from?: string | undefined
  to?: string | undefined
  pageNumber?: number | undefined
  pageSize?: number | undefined
  orderBy?: string | undefined
  cursor?: string | undefined
}

/** A wallet of an EVM chain, in lower case. */
export function readWallet(field: string, address: string, { invalid }: Pick<Calling, 'invalid'>): string {
  const wallet = address.toLowerCase()
  return isEvmAddress(wallet) && BigInt(wallet) !== 0n ? wallet : invalid(field, EVM_ADDRESS)
}

async function findPhase(context: Calling, program: Program, nftAddress: string, name: string) {
  const { tenant } = context
  const { stored } = await findCollection(context, program, nftAddress)
  return ensureFound(stored && (await phases.findByName(tenant, stored.id, name)), NO_PHASE)
}

/** The whitelist operations of a program. */
export const whitelistHandlers = (program: Program) => ({
  addToWhitelist: (input: InputOfFields<typeof whitelistFields>, context: Calling) =>
    addEntries(program, input, context),
  removeFromWhitelist: (input: InputOfFields<typeof whitelistedWallet>, context: Calling) =>
    removeEntry(program, input, context),
  whitelist: (input: ListQuery, context: Calling) => listEntries(program, input, context),
  checkWhitelist: (input: InputOfFields<typeof eligibilityQuery>, context: Calling) =>
    checkEligibility(program, input, context),
})

async function addEntries(
  program: Program,
  { nftAddress, phase: name, entries }: InputOfFields<typeof whitelistFields>,
  context: Calling,
): Promise<{ count: number }> {
  const { tenant, invalid } = context
  if (entries.length === 0) invalid('entries', 'Expected at least one wallet')
  const wallets = entries.map(({ address, limit = '0' }, index) => ({
    wallet: readWallet(`entries.${index}.address`, address, context),
    limit,
  }))
  if (new Set(wallets.map(({ wallet }) => wallet)).size < entries.length)
    invalid('entries', 'Expected each wallet once')
  const phase = await findPhase(context, program, nftAddress, name)
  const leaves = await listLeaves(wallets.map(({ wallet, limit }) => ({ wallet, limit: BigInt(limit) })))
  await tenant.transaction(async (trx) => {
    const isWithinLimit = await store.add(trx, phase.id, { wallets, leaves })
    if (!isWithinLimit) invalid('entries', WHITELIST_FULL)
  })
  return { count: wallets.length }
}

async function removeEntry(
  program: Program,
  { nftAddress, phase: name, address }: InputOfFields<typeof whitelistedWallet>,
  context: Calling,
): Promise<Record<string, never>> {
  const { tenant } = context
  const phase = await findPhase(context, program, nftAddress, name)
  return await tenant.transaction(async (trx) => {
    const isRemoved = await store.remove(trx, phase.id, address.toLowerCase())
    if (!isRemoved) throw refusal(NotFoundError, 'The wallet is not on the whitelist of this phase')
    return {}
  })
}

async function listEntries(
  program: Program,
  input: ListQuery,
  context: Calling,
): Promise<Page<WhitelistEntry>> {
  const { tenant, invalid } = context
  const query = readPageQuery(input, store.ENTRY_ORDERS, invalid)
  const { stored } = await findCollection(context, program, input.nftAddress)
  const all = stored ? await phases.list(tenant, stored.id) : []
  const selected = all.filter(({ name }) => input.phase === undefined || name === input.phase)
  const names = new Map(selected.map(({ id, name }) => [id, name]))
  const filter = { phases: [...names.keys()], ...parseTimeRange(input) }
  const page = await store.page(tenant, filter, query)
  return toPage(query, page, (row) => store.toWhitelistEntry(row, names.get(row.phase_id) ?? ''))
}

async function checkEligibility(
  program: Program,
  { nftAddress, address, proof, limit }: InputOfFields<typeof eligibilityQuery>,
  context: Calling,
): Promise<Eligibility> {
  const { tenant } = context
  const wallet = readWallet('address', address, context)
  const { stored } = await findCollection(context, program, nftAddress)
  const all = stored ? await phases.list(tenant, stored.id) : []
  const phase = all.find(({ open }) => open)
  if (phase === undefined) return NOT_OPEN
  const view = await store.view(tenant, phase, wallet)
  const outcome = evaluateWhitelist(view, { wallet, proof, limit })
  const counts = await phases.countsOf(tenant, phase, wallet)
  const remaining = countRemaining(phase, outcome.limit, counts)
  const reasons = listReasons(outcome.problem === undefined, remaining)
  return {
    eligible: reasons.length === 0,
    limit: outcome.ownLimit,
    merkleRoot: view.root,
    payTokenAddress: phase.pay_token_address,
    phase: phase.name,
    phaseId: phase.id,
    price: phase.price,
    pricedBy: phase.priced_by,
    proof: [...outcome.proof],
    reasons,
    remaining: outcome.problem === undefined ? least(remaining.ofWallet, remaining.ofPhase) : 0,
  }
}

/** The mints that are left, or `NO_LIMIT`. */
interface Remaining {
  readonly ofWallet: number
  readonly ofPhase: number
}

/** Counts the mints that are left for a wallet with a limit, and in the phase. A limit of 0 means none. */
function countRemaining(
  phase: { readonly max_claimable: number },
  walletLimit: number,
  { claimed, used }: { readonly claimed: number; readonly used: number },
): Remaining {
  return {
    ofWallet: walletLimit === 0 ? NO_LIMIT : Math.max(0, walletLimit - used),
    ofPhase: phase.max_claimable === 0 ? NO_LIMIT : Math.max(0, phase.max_claimable - claimed),
  }
}

/** Lists the rules that refuse a wallet. Its own limit does not matter if it is not on the whitelist. */
function listReasons(isListed: boolean, { ofWallet, ofPhase }: Remaining): string[] {
  const rules: Rule[] = []
  if (!isListed) rules.push(NOT_WHITELISTED)
  else if (ofWallet === 0) rules.push(MINT_LIMIT_REACHED)
  if (ofPhase === 0) rules.push(OUT_OF_STOCK)
  return rules.map(({ reason }) => reason)
}

const NOT_OPEN: Eligibility = {
  eligible: false,
  limit: '0',
  merkleRoot: '',
  payTokenAddress: '',
  phase: '',
  phaseId: 0,
  price: '0',
  pricedBy: '',
  proof: [],
  reasons: [MINT_NOT_OPEN.reason],
  remaining: 0,
}

function least(a: number, b: number): number {
  if (a === NO_LIMIT) return b
  return b === NO_LIMIT ? a : Math.min(a, b)
}
