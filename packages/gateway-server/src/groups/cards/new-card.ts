import type { eventCards } from '@mintmark/cards'
import type { InputOf } from '@mintmark/transport/operation'
import type { GatewayContext } from '../../context.ts'
import { refuseLongAddress } from '../address-rules.ts'
import * as contracts from '../contracts/contracts-store.ts'
import { momentOf, newQrCode } from './card-rules.ts'
import * as cards from './cards-store.ts'

const A_MOMENT = 'Expected a day of the calendar, in the years 1 to 9999'

type CreateInput = InputOf<typeof eventCards.create>

/** Makes a card of a program: who its creator is and which chain it lives on come from its contract, where one is registered. */
export async function newCard(
  program: cards.Program,
  input: CreateInput,
  { db, project, wallet, invalid }: GatewayContext & { invalid(field: string, message: string): never },
): Promise<cards.Card> {
  const start = momentOf(input.startTime) ?? invalid('startTime', A_MOMENT)
  const end = momentOf(input.endTime) ?? invalid('endTime', A_MOMENT)
  if (end <= start) invalid('endTime', 'Expected a time after startTime')
  refuseLongAddress('nftAddress', input.nftAddress, invalid)
  const nftAddress = input.nftAddress.toLowerCase()
  const contract = await contracts.find(db, project, nftAddress)
  return await cards.add(db, {
    project_id: project,
    program,
    name: input.name,
    creator: contract?.owner || wallet,
    chain_id: contract?.chainId ?? '',
    nft_type: contract?.nftType ?? '',
    nft_address: nftAddress,
    nft_id: input.nftId ?? '',
    start_time: start,
    end_time: end,
    validity_period: end,
    total_issued: input.totalIssued,
    is_checked_in: input.isCheckedIn ?? false,
    applicable_stores: input.applicableStores ?? [],
    background_image_url: input.backgroundImageUrl ?? '',
    logo_url: input.logoUrl ?? '',
    qr_code: newQrCode(),
    qr_code_url: input.qrCodeUrl ?? '',
    usage_instructions: input.usageInstructions ?? '',
  })
}
