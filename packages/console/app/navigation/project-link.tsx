import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBasePath } from '../session/project-context.tsx'

interface ProjectLinkProps {
  /** The address below that of the project, such as `orders/123`, or of the pages of operators. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A link to a page of the open project, or outside of one to a page of operators. With the class `row-link`, it
 * covers its row of a table.
 */
export function ProjectLink({ to, search, className, children }: ProjectLinkProps): ReactNode {
  return (
    <Link to={`${useBasePath()}/${to}`} search={search ?? {}} className={className}>
      {children}
    </Link>
  )
}

interface Token {
  readonly nftAddress: string
  readonly nftId: string
}

/** Returns the address of a token's page below that of the project. An id may be any text. */
export function toTokenPath({ nftAddress, nftId }: Token): string {
  return `nfts/${nftAddress}/${encodeURIComponent(nftId)}`
}
