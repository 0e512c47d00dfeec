import { NotFoundError } from '@mintmark/envelope'
import type { Previews } from '@mintmark/minting'
import type { DeclaredError } from '@mintmark/operation'
import type { Refuse } from '@mintmark/server-kit'
import type * as v from 'valibot'
import type { GatewayContext } from '../../../http/context.ts'
import type { MintPorts } from '../mint-ports.ts'
import * as collections from './collections-store.ts'

/** The context of a handler that can refuse with these errors. */
export type Calling<Errors extends DeclaredError = typeof NotFoundError> = GatewayContext &
  MintPorts &
  Refuse<Errors>
export type InputOfFields<Fields extends Record<string, v.GenericSchema>> = v.InferInput<
  v.ObjectSchema<Fields, undefined>
>

export const NO_CONTRACT = 'No contract is registered for this address'

/**
 * Finds the registered contract of an address with the program's collection. Refuses the call if no contract
 * is registered.
 */
export async function findCollection(
  { tenant, refuse }: Pick<Calling, 'tenant' | 'refuse'>,
  program: collections.Program,
  nftAddress: string,
): Promise<collections.Collection> {
  return (await collections.find(tenant, program, nftAddress)) ?? refuse(NotFoundError, NO_CONTRACT)
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

interface GivenPreview {
  readonly url: string
  readonly mediaFileType?: string | undefined
  readonly name?: string | undefined
}

/** Reads and replaces previews. The two programs have different names for these operations. */
export const previewHandlers = (program: collections.Program) => ({
  async read({ nftAddress }: { nftAddress: string }, context: Calling) {
    return toPreviews(await findCollection(context, program, nftAddress))
  },

  async replace({ nftAddress, items }: { nftAddress: string; items: GivenPreview[] }, context: Calling) {
    const { tenant } = context
    const { contract } = await findCollection(context, program, nftAddress)
    const stored = await tenant.transaction((trx) =>
      collections.write(trx, contract, program, { previews: JSON.stringify(items) }),
    )
    return toPreviews({ contract, stored })
  },
})
