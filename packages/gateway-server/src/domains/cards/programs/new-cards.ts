import type { GatewayContext } from '../../../context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { momentOf, newQrCode } from './card-rules.ts'
import type { CardChanges, NewCard, Program } from './cards-store.ts'

type Invalid = (field: string, message: string) => never

/** What the create bodies of the programs hold, taken together. */
export interface CardInput {
  name: string
  nftAddress: string
  startTime: string
  endTime: string
  totalIssued: number
  applicableStores?: string[] | undefined
  backgroundImageUrl?: string | undefined
  logoUrl?: string | undefined
  nftId?: string | undefined
  qrCodeUrl?: string | undefined
  usageInstructions?: string | undefined
  isCheckedIn?: boolean | undefined
  imageUrl?: string | undefined
  amount?: number | undefined
  level?: string | undefined
  benefits?: string[] | undefined
}

/** What the update bodies hold besides the card's id. */
export type CardUpdate = { [K in keyof CardInput]?: CardInput[K] | undefined } & {
  validityPeriod?: string | undefined
}

function momentFor(field: string, text: string | undefined, invalid: Invalid): Date | undefined {
  if (text === undefined) return undefined
  return momentOf(text) ?? invalid(field, 'Expected a day of the calendar, in the years 1 to 9999')
}

/** A query's `from` and `to`. */
export function periodOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  invalid: Invalid,
): { from: Date | undefined; to: Date | undefined } {
  return { from: momentFor('from', from, invalid), to: momentFor('to', to, invalid) }
}

/** The columns of the fields that are given; those that are not are left out. */
function columnsOf(input: CardUpdate, invalid: Invalid): CardChanges {
  const { applicableStores, nftAddress, nftId, amount, benefits } = input
  const { name, backgroundImageUrl, logoUrl, imageUrl, qrCodeUrl, usageInstructions } = input
  if (amount !== undefined && amount < 0) invalid('amount', 'Expected a number from 0')
  const start = momentFor('startTime', input.startTime, invalid)
  const end = momentFor('endTime', input.endTime, invalid)
  const validity = momentFor('validityPeriod', input.validityPeriod, invalid)
  if (start && end && end <= start) invalid('endTime', 'Expected a time after startTime')
  const columns: CardChanges = {
    name,
    nft_address: nftAddress?.toLowerCase(),
    nft_id: nftId,
    start_time: start,
    end_time: end,
    validity_period: validity,
    total_issued: input.totalIssued,
    is_checked_in: input.isCheckedIn,
    amount: amount === undefined ? undefined : String(amount),
    applicable_stores: applicableStores,
    background_image_url: backgroundImageUrl,
    logo_url: logoUrl,
    image_url: imageUrl,
    qr_code_url: qrCodeUrl,
    usage_instructions: usageInstructions,
    level: input.level,
    benefits,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/** Who a card's creator is and which chain it lives on come from its contract, where one is registered. */
async function registeredAt(
  addresses: readonly string[],
  { db, project, wallet }: Pick<GatewayContext, 'db' | 'project' | 'wallet'>,
): Promise<(address: string) => Pick<NewCard, 'creator' | 'chain_id' | 'nft_type'>> {
  const found = await contracts.findByAddresses(db, project, [...new Set(addresses)])
  return (address) => {
    const contract = found.get(address)
    return {
      creator: contract?.owner || wallet,
      chain_id: contract?.chain_id ?? '',
      nft_type: contract?.nft_type ?? '',
    }
  }
}

/** The rows of new cards of a program. `at` names the body of a batch in what is refused. */
export async function newCards(
  program: Program,
  inputs: readonly CardInput[],
  { db, project, wallet, ...context }: GatewayContext & { invalid: Invalid },
  at: (index: number) => string = () => '',
): Promise<NewCard[]> {
  const rows = inputs.map((input, index) => {
    const invalid: Invalid = (field, message) => context.invalid(`${at(index)}${field}`, message)
    const start = momentFor('startTime', input.startTime, invalid) ?? invalid('startTime', 'Required')
    const end = momentFor('endTime', input.endTime, invalid) ?? invalid('endTime', 'Required')
    return {
      ...columnsOf(input, invalid),
      project_id: project,
      program,
      name: input.name,
      nft_address: input.nftAddress.toLowerCase(),
      start_time: start,
      end_time: end,
      validity_period: end,
      total_issued: input.totalIssued,
      qr_code: newQrCode(),
    }
  })
  const registered = await registeredAt(
    rows.map(({ nft_address }) => nft_address),
    { db, project, wallet },
  )
  return rows.map((row) => ({ ...row, ...registered(row.nft_address) }))
}

/** The columns that an update changes. */
export async function changesOf(
  update: CardUpdate,
  context: GatewayContext & { invalid: Invalid },
): Promise<CardChanges> {
  const columns = columnsOf(update, context.invalid)
  const address = columns.nft_address
  if (typeof address !== 'string') return columns
  return { ...columns, ...(await registeredAt([address], context))(address) }
}
