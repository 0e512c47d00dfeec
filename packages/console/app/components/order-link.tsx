import type { ReactNode } from 'react'
import { shortenIdentifier } from '../format/identifier.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { componentTexts } from '../texts/shell.ts'

interface OrderLinkProps {
  /** `''` if there is no order, which is shown as a dash. */
  readonly orderNo: string
}

/** Leads to the page of an order. */
export function OrderLink({ orderNo }: OrderLinkProps): ReactNode {
  if (orderNo === '') return <span className="faint">{componentTexts.none}</span>
  return (
    <ProjectLink to={`orders/${orderNo}`}>
      <code title={orderNo}>{shortenIdentifier(orderNo)}</code>
    </ProjectLink>
  )
}
