import type { ReactNode } from 'react'
import { shortenIdentifier } from '../format/identifier.ts'
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
