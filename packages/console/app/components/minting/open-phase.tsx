import type { Presale } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { Badge } from '../badge.tsx'

/** Shows which phase of a presale is open. Nothing if none is. */
export function OpenPhase({ presale: { active } }: { readonly presale: Presale }): ReactNode {
  return active !== '' && <Badge tone="success">{`Open: ${active}`}</Badge>
}
