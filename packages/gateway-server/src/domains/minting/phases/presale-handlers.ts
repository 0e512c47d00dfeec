import { type Presale, PresalePhase, type presaleFields } from '@mintmark/minting'
import { toRecord } from '../../../http/record-mapping.ts'
import { type Calling, findCollection, type InputOfFields } from '../collections/collection-handlers.ts'
import * as collections from '../collections/collections-store.ts'
import { readPhases } from './phase-rules.ts'
import * as phases from './phases-store.ts'

function toPresale(
  { contract }: Pick<collections.Collection, 'contract'>,
  rows: readonly (phases.PhaseRow & { open: boolean })[],
): Presale {
  return {
    active: rows.find(({ open }) => open)?.name ?? '',
    nftAddress: contract.nft_address,
    phases: rows.map(toPhase),
  }
}

export function toPhase(row: phases.PhaseRow): PresalePhase {
  return toRecord(PresalePhase, row)
}

/** Reads a collection's presale. */
export async function readPresale(
  context: Pick<Calling, 'tenant'>,
  collection: collections.Collection,
): Promise<Presale> {
  const { tenant } = context
  const { stored } = collection
  return toPresale(collection, stored ? await phases.list(tenant, stored.id) : [])
}

export const presaleHandlers = (program: collections.Program) => ({
  async presale({ nftAddress }: { nftAddress: string }, context: Calling): Promise<Presale> {
    return await readPresale(context, await findCollection(context, program, nftAddress))
  },

  async updatePresale(input: InputOfFields<typeof presaleFields>, context: Calling): Promise<Presale> {
    const { tenant, minters, invalid } = context
    const given = readPhases(input.phases, invalid)
    const { contract } = await findCollection(context, program, input.nftAddress)
    return await tenant.transaction(async (trx) => {
      await minters.address(trx)
      const stored = await collections.write(trx, contract, program, {})
      await phases.replace(trx, stored.id, given)
      return toPresale({ contract }, await phases.list(trx, stored.id))
    })
  },
})
