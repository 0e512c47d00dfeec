import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { TextArea } from '../field.tsx'
import { CancelButton } from '../form-actions.tsx'
import { ErrorNotice, Notice } from '../notice.tsx'
import { type MintingProgram, mintingPrograms } from './programs.ts'
import { type LineProblem, parseWhitelist, type WhitelistLine } from './whitelist-lines.ts'

/** The most wallets of one call. */
const MAX_ENTRIES = 10_000
const SHOWN_PROBLEMS = 50

interface AddWalletsDialogProps {
  readonly program: MintingProgram
  readonly nftAddress: string
  readonly phase: string
  readonly onAdded: (count: number) => void
  readonly onClose: () => void
}

/**
 * Adds wallets to the whitelist of a phase, from pasted lines or a CSV file. Lines that are wrong are named
 * and left out.
 */
export function AddWalletsDialog(props: AddWalletsDialogProps): ReactNode {
  const { program, nftAddress, phase, onAdded, onClose } = props
  const [text, setText] = useState('')
  const [isEmpty, setIsEmpty] = useState(false)
  const { entries, problems } = useMemo(() => parseWhitelist(text), [text])
  const { add, done, isPending, error } = useAddWallets({ program, nftAddress, phase })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsEmpty(entries.length === 0)
    if (entries.length === 0) return focusFirstInvalid(event.currentTarget)
    if (isPending) return
    if (await add(entries)) onAdded(entries.length)
  }
  return (
    <Dialog
      title={t('Add wallets to {phase}', { phase })}
      onClose={onClose}
      isDismissable={false}
      size="wide"
    >
      <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <TextArea
          label={t('Addresses')}
          description={t(
            'One in each line. A limit can follow after a comma: 0x7099…79c8,2. You can paste a CSV file, or choose one below.',
          )}
          value={text}
          rows={8}
          spellCheck={false}
          error={isEmpty && entries.length === 0 ? t('Enter at least one address.') : undefined}
          onChange={setText}
        />
        <FileField onRead={setText} />
        <LineReport entries={entries} problems={problems} />
        {done > 0 && (
          <p className="muted">
            {t('{done} of {count} are added.', {
              done: formatCount(done),
              count: formatCount(entries.length),
            })}
          </p>
        )}
        <ErrorNotice error={error} />
        <div className="dialog-actions">
          <CancelButton onCancel={onClose} />
          <Button kind="primary" type="submit" isPending={isPending}>
            {t('Add {count, plural, one {# wallet} other {# wallets}}', { count: entries.length })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type Target = Pick<AddWalletsDialogProps, 'program' | 'nftAddress' | 'phase'>

/**
 * Adds wallets in as many calls as they need. Repeating it is safe: a wallet that is on the list stays there.
 */
function useAddWallets({ program, nftAddress, phase }: Target) {
  const write = useWrite(mintingPrograms[program].addToWhitelist)
  const [done, setDone] = useState(0)
  const add = async (entries: readonly WhitelistLine[]): Promise<boolean> => {
    for (let start = 0; start < entries.length; start += MAX_ENTRIES) {
      const part = entries.slice(start, start + MAX_ENTRIES)
      try {
        await write.mutateAsync({ nftAddress, phase, entries: part })
      } catch {
        // `write.error` has it, and the dialog shows it.
        return false
      }
      setDone(start + part.length)
    }
    return true
  }
  return { add, done, isPending: write.isPending, error: write.error }
}

function FileField({ onRead }: { readonly onRead: (text: string) => void }): ReactNode {
  const id = useId()
  const [error, setError] = useState<unknown>()
  const read = async (file: File) => {
    try {
      onRead(await file.text())
      setError(undefined)
    } catch (caught) {
      setError(caught)
    }
  }
  return (
    <div className="field">
      <label htmlFor={id}>{t('CSV file')}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) void read(file)
        }}
      />
      <ErrorNotice error={error} />
    </div>
  )
}

interface LineReportProps {
  readonly entries: readonly WhitelistLine[]
  readonly problems: readonly LineProblem[]
}

/** Says how many lines are ready, and names those that are wrong. */
function LineReport({ entries, problems }: LineReportProps): ReactNode {
  if (entries.length === 0 && problems.length === 0) return null
  const hidden = problems.length - SHOWN_PROBLEMS
  return (
    <div role="status" className="stack-small">
      <p>
        {t('{count, plural, one {# wallet is ready} other {# wallets are ready}}', { count: entries.length })}
      </p>
      {problems.length > 0 && (
        <Notice
          tone="warning"
          title={t(
            '{count, plural, one {# line is wrong and will not be added:} other {# lines are wrong and will not be added:}}',
            { count: problems.length },
          )}
          advice={
            <>
              <ul className="break">
                {problems.slice(0, SHOWN_PROBLEMS).map(({ line, text, reason }) => (
                  <li key={line}>{t('Line {line}: {text} ({reason})', { line, text, reason })}</li>
                ))}
              </ul>
              {hidden > 0 && <p>{t('And {hidden} more.', { hidden: formatCount(hidden) })}</p>}
            </>
          }
        />
      )}
    </div>
  )
}
