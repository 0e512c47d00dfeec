import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../components/icon.tsx'

interface FacilitatorLinkProps {
  /** The address below that of the facilitator, such as `accounts/12`. */
  readonly to: string
  readonly className?: string
  /** The parameters of the address. */
  readonly search?: Readonly<Record<string, string>>
  readonly children: ReactNode
}

/** Leads to a page of the facilitator. */
export function FacilitatorLink({ to, className, search, children }: FacilitatorLinkProps): ReactNode {
  return (
    <Link
      to={`/operator/facilitator/${to}`}
      {...(className !== undefined && { className })}
      {...(search !== undefined && { search })}
    >
      {children}
    </Link>
  )
}

/** Leads from the page of a record to its list. */
export function FacilitatorBackLink({
  to,
  children,
}: Pick<FacilitatorLinkProps, 'to' | 'children'>): ReactNode {
  return (
    <FacilitatorLink to={to} className="back-link">
      <Icon name="chevronLeft" />
      {children}
    </FacilitatorLink>
  )
}
