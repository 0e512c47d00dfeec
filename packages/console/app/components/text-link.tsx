import type { ReactNode } from 'react'
import { toLinkAddress } from '../format/web-address.ts'
import { componentTexts } from '../texts/shell.ts'

interface TextLinkProps {
  /**
   * An address that a tenant wrote. Anything but https and http is shown as text. `''` is shown as a dash.
   */
  readonly address: string
}

/** Links to an address that a tenant wrote, in a new tab. */
export function TextLink({ address }: TextLinkProps): ReactNode {
  if (address === '') return <span className="faint">{componentTexts.none}</span>
  const target = toLinkAddress(address)
  if (target === undefined) return <span className="break">{address}</span>
  return (
    <a className="break" href={target} target="_blank" rel="noreferrer noopener">
      {address}
    </a>
  )
}
