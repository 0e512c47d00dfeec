import type { Presale, PresalePhase } from '@mintmark/contracts'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/number.ts'
import { formatTime, hasChosenEnd } from '../../format/time.ts'
import { t } from '../../language/translate.ts'
import { phasesTexts } from '../../texts/minting.ts'
import { ActionButtons, RowActions } from '../actions.tsx'
import { Badge, type Tone } from '../badge.tsx'
import { DetailList, Section } from '../detail-list.tsx'
import { Confirm } from '../dialogs.tsx'
import { openDialog } from '../open-dialog.tsx'
import { EmptyState } from '../placeholders.tsx'
import { useNow } from '../time.tsx'
import { Timeline } from '../timeline.tsx'
import { MintAmount } from './mint-table.tsx'
import { openPhaseForm } from './phase-form.tsx'
import { getPhaseState, type PhaseState, toPhaseInput } from './phases.ts'
import { type MintingProgram, mintingPrograms, usePresale } from './programs.ts'

const tones: Readonly<Record<PhaseState, Tone>> = { upcoming: 'info', open: 'success', ended: 'neutral' }

type UpdatePresale = (typeof mintingPrograms)[MintingProgram]['updatePresale']

interface PhaseSectionProps {
  readonly program: MintingProgram
  readonly chainId: string
  readonly presale: Presale
}

interface RemovePhaseProps extends PhaseSectionProps {
  readonly name: string
  readonly onClose: () => void
}

function RemovePhase({ program, presale, name, onClose }: RemovePhaseProps): ReactNode {
  const { nftAddress, phases } = usePresale(program, presale)
  return (
    <Confirm<UpdatePresale>
      operation={mintingPrograms[program].updatePresale}
      input={{ nftAddress, phases: phases.filter((phase) => phase.name !== name).map(toPhaseInput) }}
      title={t('End and remove phase {name}?', { name })}
      text={t(
        'The phase ends at once. Its counts and its whitelist no longer apply. This cannot be undone. Signed mints stay valid until they expire.',
      )}
      action={t('End and remove')}
      done={t('Phase {name} is removed', { name })}
      onClose={onClose}
    />
  )
}

const removePhase = (props: PhaseSectionProps, { name }: PresalePhase) =>
  openDialog((close) => <RemovePhase {...props} name={name} onClose={() => close()} />)

/** The phases of a presale on a timeline: adding, changing and removing them. */
export function PhaseSection(props: PhaseSectionProps): ReactNode {
  const add = { label: t('Add phase'), icon: 'plus', onSelect: () => openPhaseForm(props) } as const
  return (
    <Section title={t('Phases')} actions={<ActionButtons actions={[add]} />}>
      {props.presale.phases.length === 0 ? (
        <EmptyState
          icon="minting"
          title={t('No phases yet')}
          advice={t('Tokens can be minted only while a phase is open. Add the first one.')}
          adviceToRead={t('Tokens can be minted only while a phase is open.')}
        />
      ) : (
        <PhaseTimeline {...props} />
      )}
    </Section>
  )
}

function PhaseTimeline(props: PhaseSectionProps): ReactNode {
  const { chainId, presale } = props
  const now = useNow()
  return (
    <Timeline
      label={t('Phases')}
      entries={presale.phases.map((phase) => {
        const state = getPhaseState(phase, now)
        const actions = [
          { label: t('Edit'), onSelect: () => openPhaseForm({ ...props, phase }) },
          { label: t('End and remove'), isDangerous: true, onSelect: () => removePhase(props, phase) },
        ]
        return {
          key: phase.name,
          tone: tones[state],
          title: (
            <span className="row">
              <span className="break">{phase.name}</span>
              <Badge tone={tones[state]}>{phasesTexts.states[state]}</Badge>
              <RowActions name={phase.name} actions={actions} />
            </span>
          ),
          details: <PhaseDetails chainId={chainId} phase={phase} />,
        }
      })}
    />
  )
}

interface PhaseDetailsProps {
  readonly chainId: string
  readonly phase: PresalePhase
}

function PhaseDetails({ chainId, phase }: PhaseDetailsProps): ReactNode {
  const { claimed, maxClaimable, limitPerWallet, startTime, endTime } = phase
  const { modes, paidBy } = phasesTexts
  const from = formatTime(startTime)
  return (
    <div className="stack-small">
      <p>
        {hasChosenEnd(phase)
          ? t('{from} to {endTime}', { from, endTime: formatTime(endTime) })
          : t('From {from}', { from })}
      </p>
      <DetailList
        details={{
          [t('Price')]: (
            <>
              {phase.price === '0' ? t('Free') : <MintAmount chainId={chainId} priced={phase} />}
              {phase.price !== '0' && (
                <span className="faint">
                  {phase.pricedBy in paidBy && `, ${paidBy[phase.pricedBy as keyof typeof paidBy]}`}
                </span>
              )}
            </>
          ),
          [t('Reserved and minted')]:
            maxClaimable === 0
              ? t('{claimed}, no limit', { claimed: formatCount(claimed) })
              : t('{claimed} of {maxClaimable}', {
                  claimed: formatCount(claimed),
                  maxClaimable: formatCount(maxClaimable),
                }),
          [t('For each wallet')]: limitPerWallet === 0 ? t('No limit') : formatCount(limitPerWallet),
          [t('Who may mint')]:
            phase.whitelistMode in modes
              ? modes[phase.whitelistMode as keyof typeof modes]
              : phase.whitelistMode,
        }}
      />
    </div>
  )
}

/** Shows which phase of a presale is open. Nothing if none is. */
export function OpenPhase({ presale: { active } }: { readonly presale: Presale }): ReactNode {
  return active !== '' && <Badge tone="success">{t('Open: {active}', { active })}</Badge>
}
