import { contracts } from '@mintmark/contracts'
import { type Issue, isMintmarkError, MAX_PAGE_SIZE } from '@mintmark/envelope'
import { type InputOf, inputIssues } from '@mintmark/operation'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useOperation, useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { TechnicalDetails } from '../../components/technical-details.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { FormField } from '../../form/form-field.tsx'
import { type FieldDefinitions, type FormValues, sortIssues } from '../../form/form-values.ts'
import { markSaved } from '../../form/unsaved-input.ts'
import { cardFormTexts } from '../../texts/cards.ts'
import { componentTexts } from '../../texts/shell.ts'
import {
  type CardFormResult,
  createCardValues,
  fromCard,
  listCardFields,
  TECHNICAL_FIELDS,
  toCardChanges,
  toNewCard,
} from './card-fields.ts'
import { CardPreview } from './card-preview.tsx'
import type { AnyCard, Program } from './programs.ts'

interface CardFormProps {
  readonly program: Program
  /** The card that is changed. Undefined for a new one. */
  readonly card?: AnyCard
  readonly onDone: (card: AnyCard) => void
  readonly onCancel: () => void
}

/** The form of a card with a preview of it. It waits for the contracts, of which one can be chosen. */
export function CardForm(props: CardFormProps): ReactNode {
  const { program, card } = props
  const { data, error } = useOperation(contracts.list, { pageSize: MAX_PAGE_SIZE })
  if (data === undefined && error === null) return <Skeleton lines={12} />
  const fields = listCardFields(program.name, {
    mode: card === undefined ? 'create' : 'change',
    // Without the list, the address of the contract is entered.
    contracts: data?.list ?? [],
    nftAddress: card?.nftAddress,
  })
  return <LoadedCardForm {...props} fields={fields} />
}

function LoadedCardForm(props: CardFormProps & { readonly fields: FieldDefinitions }): ReactNode {
  const { program, fields, onCancel } = props
  // Events refresh the card meanwhile. What differs from the card that is shown was entered by the person.
  const [card] = useState(props.card)
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(() =>
    card === undefined ? createCardValues() : fromCard(fields, card),
  )
  const [localIssues, setLocalIssues] = useState<readonly Issue[]>([])
  const write = useCardWrite(program, card)
  const serverIssues = getServerIssues(write.error)
  const { byField, others } = sortIssues(fields, [...localIssues, ...serverIssues])
  const focusInvalid = () => focusFirstInvalid(form.current)
  const onDone = (saved: AnyCard) => {
    markSaved(form.current)
    props.onDone(saved)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    const issues = write.check(fields, values)
    setLocalIssues(issues)
    if (issues.length > 0) focusInvalid()
    else write.send(fields, values, { onDone, onError: focusInvalid })
  }
  const names = Object.keys(fields)
  const technical = names.filter((name) => TECHNICAL_FIELDS.has(name))
  const toField = (name: string) => {
    const field = fields[name]
    return (
      field && (
        <FormField
          key={name}
          name={name}
          field={field}
          value={values[name]}
          error={byField[name]}
          onChange={(value) => setValues((previous) => ({ ...previous, [name]: value }))}
        />
      )
    )
  }
  return (
    <form ref={form} className="card-form" onSubmit={submit} noValidate>
      <div className="stack">
        {names.filter((name) => !TECHNICAL_FIELDS.has(name)).map(toField)}
        <TechnicalDetails isOpen={technical.some((name) => byField[name] !== undefined)}>
          {technical.map(toField)}
        </TechnicalDetails>
        {others.map(({ path, message }) => (
          <Notice key={path + message} tone="danger" title={path === '' ? message : `${path}: ${message}`} />
        ))}
        <ErrorNotice error={serverIssues.length > 0 ? undefined : write.error} />
        <div className="dialog-actions">
          <CancelButton onCancel={onCancel} />
          <Button kind="primary" type="submit" isPending={write.isPending}>
            {card === undefined ? program.texts.create : componentTexts.save}
          </Button>
        </div>
      </div>
      <aside className="card-form-preview stack-small" aria-label={cardFormTexts.preview}>
        <h2>{cardFormTexts.preview}</h2>
        <CardPreview program={program} values={values} card={card} />
      </aside>
    </form>
  )
}

function getServerIssues(error: unknown): readonly Issue[] {
  return isMintmarkError(error) && error.kind === 'InvalidInput' ? error.issues : []
}

interface SendHandlers {
  readonly onDone: (card: AnyCard) => void
  readonly onError: () => void
}

/** Creates or changes a card by the program's operations. */
function useCardWrite(program: Program, card: AnyCard | undefined) {
  const create = useWrite(program.operations.create)
  const update = useWrite(program.operations.update)
  const write = card === undefined ? create : update
  const convert = (fields: FieldDefinitions, values: FormValues): CardFormResult =>
    card === undefined ? toNewCard(fields, values) : toCardChanges(fields, values, card)

  return {
    isPending: write.isPending,
    error: write.error,
    check(fields: FieldDefinitions, values: FormValues): readonly Issue[] {
      write.reset()
      const { input, issues } = convert(fields, values)
      if (issues.length > 0) return issues
      return card === undefined
        ? inputIssues(program.operations.create, input)
        : inputIssues(program.operations.update, { ...input, id: card.id })
    },
    send(fields: FieldDefinitions, values: FormValues, { onDone, onError }: SendHandlers): void {
      const { input } = convert(fields, values)
      if (card === undefined) {
        // `check` has compared the input with the operation's schema.
        const body = input as InputOf<typeof program.operations.create>
        create.mutate(body, { onSuccess: onDone, onError })
      } else if (Object.keys(input).length === 0) {
        onDone(card)
      } else {
        update.mutate({ ...input, id: card.id }, { onSuccess: onDone, onError })
      }
    },
  }
}
