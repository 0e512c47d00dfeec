import { PricedBy, type presaleFields, WhitelistMode } from '@mintmark/minting'
import type { NewRow } from '../../../database/tenant.ts'
import { EVM_ADDRESS, isEvmAddress } from '../../../http/address-rules.ts'
import { getDefaultEnd } from '../../../http/default-end.ts'
import type { InputOfFields } from '../collections/collection-handlers.ts'

export const WHITELIST_MODES = Object.values(WhitelistMode)
export const PRICED_BY = Object.values(PricedBy)

/** Wallets of one phase: a Merkle tree of that size takes about a second. */
export const MAX_WHITELIST = 50_000

/** A phase in a call. */
type PhaseInput = InputOfFields<typeof presaleFields>['phases'][number]

/** A phase in the columns of its table. */
export type NewPhase = Omit<NewRow<'gateway.mint_phases'>, 'collection_id'>

type Invalid = (field: string, message: string) => never

/** Reads the phases of a presale. Their starts increase strictly, and no phase overlaps the next one. */
export function readPhases(phases: readonly PhaseInput[], invalid: Invalid): NewPhase[] {
  const names = new Set<string>()
  return phases.map((phase, index) => {
    const field = (name: string) => `phases.${index}.${name}`
    if (names.has(phase.name)) invalid(field('name'), 'Two phases have this name')
    names.add(phase.name)
    const next = phases[index + 1]
    const start = new Date(phase.startTime)
    const nextStart = next && new Date(next.startTime)
    if (nextStart !== undefined && nextStart <= start)
      invalid(`phases.${index + 1}.startTime`, 'Expected a later start than that of the phase before')
    const end = phase.endTime === undefined ? (nextStart ?? getDefaultEnd(start)) : new Date(phase.endTime)
    if (end <= start) invalid(field('endTime'), 'Expected a time after startTime')
    if (nextStart !== undefined && end > nextStart)
      invalid(field('endTime'), "Expected a time not after the next phase's start")
    return {
      name: phase.name,
      start_time: start,
      end_time: end,
      price: phase.price,
      pay_token_address: readPayToken(field('payTokenAddress'), phase.payTokenAddress, invalid),
      priced_by: readPricedBy(field('pricedBy'), phase.pricedBy, invalid),
      max_claimable: phase.maxClaimable ?? 0,
      limit_per_wallet: phase.limitPerWallet ?? 0,
      ...readWhitelist(phase, field, invalid),
    }
  })
}

/** An ERC-20's address in lower case, or '' for the chain's native token. */
function readPayToken(field: string, address = '', invalid: Invalid): string {
  const token = address.toLowerCase()
  if (token !== '' && !isEvmAddress(token)) invalid(field, EVM_ADDRESS)
  return token
}

function readPricedBy(field: string, text: string = PricedBy.CHAIN, invalid: Invalid): PricedBy {
  const pricedBy = PRICED_BY.find((each) => each === text)
  return pricedBy ?? invalid(field, `Expected ${PRICED_BY.join(' or ')}`)
}

function readWhitelist(phase: PhaseInput, field: (name: string) => string, invalid: Invalid) {
  const { whitelistMode = WhitelistMode.NONE, merkleRoot = '' } = phase
  const mode = WHITELIST_MODES.find((each) => each === whitelistMode)
  if (mode === undefined)
    return invalid(field('whitelistMode'), `Expected one of ${WHITELIST_MODES.join(', ')}`)
  if (merkleRoot !== '' && mode !== WhitelistMode.MERKLE)
    invalid(field('merkleRoot'), 'Only a MERKLE whitelist has a root')
  if (merkleRoot !== '' && !/^0x[0-9a-fA-F]{64}$/.test(merkleRoot))
    invalid(field('merkleRoot'), 'Expected 0x and 64 hexadecimal digits')
  return { whitelist_mode: mode, merkle_root: merkleRoot.toLowerCase() }
}
