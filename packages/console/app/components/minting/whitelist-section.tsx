import type { Presale, WhitelistEntry } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { IconButton } from '../button.tsx'
import { Section } from '../detail-list.tsx'
import { confirm } from '../dialogs.tsx'
import { WalletLink } from '../links.tsx'
import { openDialog } from '../open-dialog.tsx'
import { EmptyState } from '../placeholders.tsx'
import { ResourceSection } from '../resource.tsx'
import { showToast } from '../toast.tsx'
import { AddWalletsDialog } from './add-wallets-dialog.tsx'
import { type MintingProgram, mintingPrograms } from './programs.ts'

type RemoveFromWhitelist = (typeof mintingPrograms)[MintingProgram]['removeFromWhitelist']

interface WhitelistSectionProps {
  readonly program: MintingProgram
  readonly presale: Presale
}

/** The wallets that may mint in the phases of a presale. */
export function WhitelistSection({ program, presale }: WhitelistSectionProps): ReactNode {
  const { phases, active } = presale
  const first = active || phases[0]?.name
  if (first === undefined) {
    return (
      <Section title={t('Whitelist')}>
        <EmptyState
          icon="people"
          title={t('No phases yet')}
          advice={t('A whitelist belongs to a phase. Add a phase first.')}
          adviceToRead={t('A whitelist belongs to a phase.')}
        />
      </Section>
    )
  }
  return <Whitelist program={program} presale={presale} first={first} />
}

interface WhitelistProps extends WhitelistSectionProps {
  /** The phase that is shown first. */
  readonly first: string
}

function Whitelist({ program, presale: { nftAddress, phases }, first }: WhitelistProps): ReactNode {
  const { whitelist, removeFromWhitelist } = mintingPrograms[program]
  const addWallets = (phase: string) =>
    openDialog((close) => (
      <AddWalletsDialog
        program={program}
        nftAddress={nftAddress}
        phase={phase}
        onClose={() => close()}
        onAdded={(count) => {
          showToast(t('{count, plural, one {# wallet} other {# wallets}} added to {phase}', { count, phase }))
          close()
        }}
      />
    ))
  const remove = ({ address, phase }: WhitelistEntry) =>
    confirm<RemoveFromWhitelist>({
      operation: removeFromWhitelist,
      input: { nftAddress, phase, address },
      title: t('Remove {address} from the whitelist?', { address: shortenIdentifier(address) }),
      text: t('The wallet can no longer mint in phase {phase}. You can add it again.', { phase }),
      action: t('Remove'),
      done: t('The wallet is removed from the whitelist'),
    })
  return (
    <ResourceSection<typeof whitelist>
      operation={whitelist}
      input={{ nftAddress }}
      title={t('Whitelist')}
      actions={({ search: { phase = first } }) => [
        { label: t('Add wallets'), icon: 'plus', onSelect: () => addWallets(phase) },
      ]}
      filters={{
        phase: {
          label: t('Phase'),
          initial: first,
          options: Object.fromEntries(phases.map(({ name }) => [name, name])),
          toInput: (phase) => ({ phase }),
        },
      }}
      columns={{
        address: { label: t('Wallet'), cell: ({ address }) => <WalletLink address={address} /> },
        limit: {
          label: t('Limit'),
          cell: ({ limit }) =>
            limit === '0' ? <span className="faint">{t('As in the phase')}</span> : limit,
        },
        phase: t('Phase'),
        createTime: t('Added'),
      }}
      renderActions={(entry) => (
        <IconButton
          icon="close"
          label={t('Remove {address}', { address: entry.address })}
          onClick={() => void remove(entry)}
        />
      )}
      empty={{
        icon: 'people',
        title: t('No wallets on the whitelist'),
        advice: t('In a phase for wallets on the whitelist, nobody can mint until you add wallets.'),
        adviceToRead: t('In a phase for wallets on the whitelist, nobody can mint at present.'),
      }}
    />
  )
}
