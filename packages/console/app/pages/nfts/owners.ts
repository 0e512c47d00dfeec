import { type Asset, assets, type Nft } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useProjectGateway } from '../../session/project-context.tsx'

/** The gateway lists assets by collection, so the owners of one token are selected from so many of them. */
export const SEARCHED_ASSETS = 500

/** The wallets that own units of a token. */
export interface Owners {
  readonly list: readonly Asset[]
  /** Whether the collection has more assets than were searched. */
  readonly isTruncated: boolean
}

/** Reads the owners of a token. */
export function useOwners({ nftAddress, nftId }: Pick<Nft, 'nftAddress' | 'nftId'>): UseQueryResult<Owners> {
  const { gateway, projectId } = useProjectGateway()
  return useQuery({
    // The form of a key of `getReadKey`, so that `invalidation.ts` refreshes it like a list of assets.
    queryKey: ['operation', projectId ?? null, 'assets.owners', { nftAddress, nftId }],
    queryFn: async ({ signal }): Promise<Owners> => {
      const list: Asset[] = []
      let searched = 0
      const input = { nftAddress, pageSize: MAX_PAGE_SIZE }
      for await (const asset of assets.list.items(gateway, input, { signal })) {
        if (searched === SEARCHED_ASSETS) return { list, isTruncated: true }
        searched += 1
        if (asset.nftId === nftId) list.push(asset)
      }
      return { list, isTruncated: false }
    },
  })
}
