import type { Nft } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { ProjectLink, toTokenPath } from '../navigation/project-link.tsx'
import { Picture } from './picture.tsx'

interface NftGridProps {
  /** What the grid lists, for screen readers. */
  readonly label: string
  readonly nfts: readonly Nft[]
  /** Whether the NFTs are those of a previous page. Default: no. */
  readonly isStale?: boolean
}

/** Shows NFTs by their images. */
export function NftGrid({ label, nfts, isStale = false }: NftGridProps): ReactNode {
  return (
    <ul className="tile-grid" aria-label={label} aria-busy={isStale}>
      {nfts.map(({ id, name, imgUrl, nftAddress, nftId }) => (
        <li key={id} className="tile">
          <Picture address={imgUrl} label="" />
          <ProjectLink to={toTokenPath({ nftAddress, nftId })} className="row-link">
            {name}
          </ProjectLink>
          <span className="faint numeric">#{nftId}</span>
        </li>
      ))}
    </ul>
  )
}
