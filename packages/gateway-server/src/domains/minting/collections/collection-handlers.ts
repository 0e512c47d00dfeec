import type { Previews, previewFields } from '@mintmark/minting'
import type { Refuse } from '@mintmark/server-kit'
import type * as v from 'valibot'
import type { GatewayContext } from '../../../http/context.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import type { MintPorts } from '../mint-ports.ts'
import * as collections from './collections-store.ts'

/** The context of the handlers of presales and mints. */
export type Calling = GatewayContext & MintPorts & Refuse
export type InputOfFields<Fields extends Record<string, v.GenericSchema>> = v.InferInput<
  v.ObjectSchema<Fields, undefined>
>

export const NO_CONTRACT = 'No contract is registered for this address'

/**
 * Finds the registered contract of an address with the program's collection. Refuses the call if no contract
 * is registered.
 */
export async function findCollection(
  { tenant }: Pick<Calling, 'tenant'>,
  program: collections.Program,
  nftAddress: string,
): Promise<collections.Collection> {
  return ensureFound(await collections.find(tenant, program, nftAddress), NO_CONTRACT)
}

export function toPreviews({ contract, stored }: collections.Collection): Previews {
  return {
    items: (stored?.previews ?? []).map(({ url, mediaFileType = '', name = '' }) => ({
      url,
      mediaFileType,
      name,
    })),
    nftAddress: contract.nft_address,
  }
}

/** Reads and replaces previews. The two programs have different names for these operations. */
export const previewHandlers = (program: collections.Program) => ({
  async read({ nftAddress }: { nftAddress: string }, context: Calling) {
    return toPreviews(await findCollection(context, program, nftAddress))
  },

  async replace({ nftAddress, items }: InputOfFields<typeof previewFields>, context: Calling) {
    const { tenant } = context
    const { contract } = await findCollection(context, program, nftAddress)
    const stored = await tenant.transaction((trx) =>
      collections.write(trx, contract, program, { previews: JSON.stringify(items) }),
    )
    return toPreviews({ contract, stored })
  },
})
