import type { ReactNode } from 'react'
import { shortenIdentifier } from '../format/identifier.ts'
import { toLinkAddress } from '../format/web-address.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { componentTexts } from '../texts/shell.ts'
import { CopyButton } from './copy-button.tsx'

const ZERO_ADDRESS = /^0x0{40}$/

interface WalletLinkProps {
  /** `''` and the zero address belong to no wallet: they are shown as a dash. */
  readonly address: string
  /** The name of the wallet. Default: its short address. */
  readonly name?: string
}

/** Leads to the page of a wallet, with a button that copies its address. */
export function WalletLink({ address, name = '' }: WalletLinkProps): ReactNode {
  if (address === '' || ZERO_ADDRESS.test(address))
    return <span className="faint">{componentTexts.none}</span>
  return (
    <span className="identifier">
      <ProjectLink to={`wallets/${address}`} className="wallet-link">
        {name === '' ? <code title={address}>{shortenIdentifier(address)}</code> : name}
      </ProjectLink>
      <CopyButton text={address} label={`${componentTexts.copy} ${address}`} />
    </span>
  )
}

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
