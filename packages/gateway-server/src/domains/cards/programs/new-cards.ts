import { parseTime } from '@mintmark/server-kit'
import { toReferenceColumns } from '../../../database/references.ts'
import type { GatewayContext } from '../../../http/context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import { ensureDefaultCollection } from '../../contracts/contracts/default-collection.ts'
import { readStoreKeys } from '../stores/store-names.ts'
import { type CardInput, type CardUpdate, toCardColumns } from './card-fields.ts'
import { drawQrCode } from './card-rules.ts'
import type { CardChanges, NewCard, Program } from './cards-store.ts'

type Invalid = (field: string, message: string) => never
type Context = Pick<GatewayContext, 'tenant' | 'caller'> & { readonly invalid: Invalid }

function checkPeriod({ start_time, end_time }: CardChanges, invalid: Invalid): void {
  if (start_time && end_time && end_time <= start_time) invalid('endTime', 'Expected a time after startTime')
}

/** Finds the creators and chains of cards: those of their contracts, where contracts are registered. */
async function findContractColumns(
  addresses: readonly string[],
  { tenant, caller }: Context,
): Promise<(address: string) => Pick<NewCard, 'creator' | 'chain_id' | 'nft_type'>> {
  const registered = await contracts.findByAddresses(tenant, [...new Set(addresses)])
  return (address) => {
    const contract = registered.get(address)
    return {
      creator: contract?.owner || caller.wallet,
      chain_id: contract?.chain_id ?? '',
      nft_type: contract?.nft_type ?? '',
    }
  }
}

/**
 * Returns the rows of new cards of a program.
 *
 * @param prefix Returns what precedes the field names of an item of a batch in errors.
 */
export async function toNewCards(
  program: Program,
  inputs: readonly CardInput[],
  context: Context,
  prefix: (index: number) => string = () => '',
): Promise<NewCard[]> {
  const isDefaulted = inputs.some(({ nftAddress = '' }) => nftAddress === '')
  const defaultAddress = isDefaulted ? (await ensureDefaultCollection(context.tenant)).nft_address : ''
  const toAddress = ({ nftAddress = '' }: CardInput) => (nftAddress === '' ? defaultAddress : nftAddress)
  const contractColumns = await findContractColumns(inputs.map(toAddress), context)
  const namesStores = inputs.some(({ applicableStores = [] }) => applicableStores.length > 0)
  const findStoreKeys = namesStores ? await readStoreKeys(context.tenant) : undefined
  return inputs.map((input, index) => {
    const columns = toCardColumns(input)
    const invalid: Invalid = (field, message) => context.invalid(`${prefix(index)}${field}`, message)
    checkPeriod(columns, invalid)
    const endTime = parseTime(input.endTime)
    return {
      ...columns,
      ...toReferenceColumns(input.reference, context.caller.wallet),
      program,
      name: input.name,
      nft_address: toAddress(input),
      start_time: parseTime(input.startTime),
      end_time: endTime,
      validity_period: endTime,
      store_keys: findStoreKeys?.(input.applicableStores, invalid),
      total_issued: input.totalIssued,
      qr_code: drawQrCode(),
      ...contractColumns(toAddress(input)),
    }
  })
}

/** Returns the columns that an update changes. */
export async function toCardChanges(update: Omit<CardUpdate, 'id'>, context: Context): Promise<CardChanges> {
  const { nftAddress, reference } = update
  const columns = { ...toCardColumns(update), ...toReferenceColumns(reference, context.caller.wallet) }
  checkPeriod(columns, context.invalid)
  const { applicableStores } = update
  const findStoreKeys = applicableStores && (await readStoreKeys(context.tenant))
  const changes = { ...columns, store_keys: findStoreKeys?.(applicableStores, context.invalid) }
  if (nftAddress === undefined) return changes
  const contractColumns = await findContractColumns([nftAddress], context)
  return { ...changes, ...contractColumns(nftAddress) }
}
