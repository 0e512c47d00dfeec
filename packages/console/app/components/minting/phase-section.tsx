import type { Presale, PresalePhase } from '@mintmark/contracts'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { formatCount } from '../../format/number.ts'
import { hasChosenEnd } from '../../format/open-end.ts'
import { formatTime } from '../../format/time.ts'
import { useMayChange } from '../../session/project-context.tsx'
import { phasesTexts } from '../../texts/minting.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Button } from '../button.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { DetailList, Section } from '../detail-list.tsx'
import { LazyMenu } from '../lazy-menu.tsx'
import { EmptyState } from '../placeholders.tsx'
import { useNow } from '../time.tsx'
import { Timeline } from '../timeline.tsx'
import { showToast } from '../toast.tsx'
import { MintAmount } from './mint-amount.tsx'
import { PhaseDialog } from './phase-form.tsx'
import { getPhaseState, type PhaseState, toPhaseInput } from './phases.ts'
import { type MintingProgram, mintingPrograms } from './programs.ts'

const tones: Readonly<Record<PhaseState, Tone>> = { upcoming: 'info', open: 'success', ended: 'neutral' }

type OpenDialog =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly phase: PresalePhase }

interface PhaseSectionProps {
  readonly program: MintingProgram
  readonly chainId: string
  readonly presale: Presale
}

/** The phases of a presale on a timeline: adding, changing and removing them. */
export function PhaseSection({ program, chainId, presale }: PhaseSectionProps): ReactNode {
  const mayChange = useMayChange()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const add = mayChange && (
    <Button icon="plus" onClick={() => setDialog({ kind: 'add' })}>
      {phasesTexts.add}
    </Button>
  )
  return (
    <Section title={phasesTexts.title} actions={add}>
      {presale.phases.length === 0 ? (
        <EmptyState
          icon="minting"
          title="No phases yet"
          advice="Tokens can be minted only while a phase is open. Add the first one."
          adviceToRead="Tokens can be minted only while a phase is open."
        />
      ) : (
        <PhaseTimeline chainId={chainId} presale={presale} {...(mayChange && { onOpen: setDialog })} />
      )}
      {(dialog?.kind === 'add' || dialog?.kind === 'edit') && (
        <PhaseDialog
          program={program}
          chainId={chainId}
          presale={presale}
          {...(dialog.kind === 'edit' && { phase: dialog.phase })}
          onClose={close}
          onSaved={() => {
            showToast('The phases are saved')
            close()
          }}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemovePhaseDialog program={program} presale={presale} phase={dialog.phase} onClose={close} />
      )}
    </Section>
  )
}

interface PhaseTimelineProps {
  readonly chainId: string
  readonly presale: Presale
  /** Opens a dialog. Without it, phases cannot be changed. */
  readonly onOpen?: (dialog: OpenDialog) => void
}

function PhaseTimeline({ chainId, presale, onOpen }: PhaseTimelineProps): ReactNode {
  const now = useNow()
  return (
    <Timeline
      label={phasesTexts.title}
      entries={presale.phases.map((phase) => {
        const state = getPhaseState(phase, now)
        return {
          key: phase.name,
          tone: tones[state],
          title: (
            <span className="row">
              <span className="break">{phase.name}</span>
              <Badge tone={tones[state]}>{phasesTexts.states[state]}</Badge>
              {onOpen !== undefined && <PhaseMenu phase={phase} onOpen={onOpen} />}
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
      <p>{hasChosenEnd(phase) ? `${from} to ${formatTime(endTime)}` : `From ${from}`}</p>
      <DetailList
        details={[
          {
            label: 'Price',
            value: (
              <>
                <PhasePrice chainId={chainId} phase={phase} />
                {phase.price !== '0' && (
                  <span className="faint">
                    {phase.pricedBy in paidBy && paidBy[phase.pricedBy as keyof typeof paidBy]}
                  </span>
                )}
              </>
            ),
          },
          {
            label: 'Reserved and minted',
            value:
              maxClaimable === 0
                ? `${formatCount(claimed)}, no limit`
                : `${formatCount(claimed)} of ${formatCount(maxClaimable)}`,
          },
          {
            label: 'For each wallet',
            value: limitPerWallet === 0 ? 'No limit' : formatCount(limitPerWallet),
          },
          {
            label: 'Who may mint',
            value:
              phase.whitelistMode in modes
                ? modes[phase.whitelistMode as keyof typeof modes]
                : phase.whitelistMode,
          },
        ]}
      />
    </div>
  )
}

/** Shows the price of one token in a phase. */
function PhasePrice({ chainId, phase }: PhaseDetailsProps): ReactNode {
  const { price: baseUnits, payTokenAddress } = phase
  if (baseUnits === '0') return 'Free'
  return <MintAmount chainId={chainId} payTokenAddress={payTokenAddress} baseUnits={baseUnits} />
}

interface PhaseMenuProps {
  readonly phase: PresalePhase
  readonly onOpen: (dialog: OpenDialog) => void
}

function PhaseMenu({ phase, onOpen }: PhaseMenuProps): ReactNode {
  return (
    <LazyMenu
      label={`Actions for ${phase.name}`}
      entries={[
        { key: 'edit', label: 'Edit', onSelect: () => onOpen({ kind: 'edit', phase }) },
        {
          key: 'remove',
          label: phasesTexts.remove,
          isDangerous: true,
          onSelect: () => onOpen({ kind: 'remove', phase }),
        },
      ]}
    />
  )
}

interface RemovePhaseDialogProps {
  readonly program: MintingProgram
  readonly presale: Presale
  readonly phase: PresalePhase
  readonly onClose: () => void
}

function RemovePhaseDialog({
  program,
  presale,
  phase: { name },
  onClose,
}: RemovePhaseDialogProps): ReactNode {
  const write = useWrite(mintingPrograms[program].updatePresale)
  const phases = presale.phases.filter((phase) => phase.name !== name).map(toPhaseInput)
  const onConfirm = () =>
    write.mutate(
      { nftAddress: presale.nftAddress, phases },
      {
        onSuccess: () => {
          showToast(`Phase ${name} is removed`)
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={`End and remove phase ${name}?`}
      action={phasesTexts.remove}
      isOpen
      isPending={write.isPending}
      error={write.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        The phase ends at once. Its counts and its whitelist no longer apply. This cannot be undone. Signed
        mints stay valid until they expire.
      </p>
    </ConfirmDialog>
  )
}
