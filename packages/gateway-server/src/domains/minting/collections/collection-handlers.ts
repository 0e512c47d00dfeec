import { NotFoundError } from '@mintmark/envelope'
import type { Presale, presaleFields } from '@mintmark/minting'
import type { DeclaredError } from '@mintmark/operation'
import type { Refuse } from '@mintmark/server-kit'
import type * as v from 'valibot'
import type { GatewayContext } from '../../../http/context.ts'
import { readPhases } from '../phases/phase-rules.ts'
import * as phases from '../phases/phases-store.ts'
import * as collections from './collections-store.ts'
import { presaleOf, previewsOf } from './minting-records.ts'

/** The context of a handler that can refuse with these errors. */
export type Calling<Errors extends DeclaredError = typeof NotFoundError> = GatewayContext & Refuse<Errors>
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

/** Reads a collection's presale. */
export async function readPresale(
  context: Pick<Calling, 'tenant'>,
  collection: collections.Collection,
): Promise<Presale> {
  const { tenant } = context
  const { stored } = collection
  return presaleOf(collection, stored ? await phases.list(tenant, stored.id) : [])
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
      return presaleOf({ contract }, await phases.list(trx, stored.id))
    })
  },
})

interface GivenPreview {
  readonly url: string
  readonly mediaFileType?: string | undefined
  readonly name?: string | undefined
}

/** Reads and replaces previews. The two programs have different names for these operations. */
export const previewHandlers = (program: collections.Program) => ({
  async read({ nftAddress }: { nftAddress: string }, context: Calling) {
    return previewsOf(await findCollection(context, program, nftAddress))
  },

  async replace({ nftAddress, items }: { nftAddress: string; items: GivenPreview[] }, context: Calling) {
    const { tenant } = context
    const { contract } = await findCollection(context, program, nftAddress)
    const stored = await tenant.transaction((trx) =>
      collections.write(trx, contract, program, { previews: JSON.stringify(items) }),
    )
    return previewsOf({ contract, stored })
  },
})
