import { parseApplicableStores, stores } from '@mintmark/cards'
import { contracts } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Skeleton } from '../../components/placeholders.tsx'
import { AdaptedForm } from '../../form/operation-form.tsx'
import { componentTexts } from '../../texts/shell.ts'
import {
  createCardValues,
  listCardFields,
  selectChanges,
  TECHNICAL_FIELDS,
  toShownCard,
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

/** The form of a card with a preview of it. It waits for the contracts and stores that can be chosen. */
export function CardForm({ program, onDone, onCancel, ...props }: CardFormProps): ReactNode {
  const { data, error } = useOperation(contracts.list, { pageSize: MAX_PAGE_SIZE })
  const storeList = useOperation(stores.list, {})
  // Events refresh the card meanwhile. What differs from the card that is shown was entered by the person.
  const [card] = useState(props.card)
  if ((data === undefined && error === null) || storeList.isPending) return <Skeleton />
  const { create, update } = program.operations
  const shown = card === undefined ? {} : toShownCard(card)
  const fields = listCardFields(program.name, {
    mode: card === undefined ? 'create' : 'change',
    // Without the list, the address of the contract is entered.
    contracts: data?.list ?? [],
    nftAddress: card?.nftAddress,
    stores: storeList.data ?? [],
    ...(card !== undefined && { chosenStores: parseApplicableStores(card) }),
  })
  const select = (input: Readonly<Record<string, unknown>>) =>
    card === undefined ? input : selectChanges(fields, input, shown)
  return (
    <AdaptedForm<typeof create | typeof update>
      operation={card === undefined ? create : update}
      fields={fields}
      initial={shown}
      {...(card === undefined && { entered: createCardValues() })}
      toOperationInput={(input) =>
        // The form checks the input by the operation.
        ({ ...select(input), ...(card !== undefined && { id: card.id }) }) as InputOf<
          typeof create | typeof update
        >
      }
      isUnchanged={(input) => Object.keys(select(input)).length === 0}
      folded={TECHNICAL_FIELDS}
      aside={(values) => <CardPreview program={program} values={values} card={card} />}
      action={card === undefined ? program.texts.create : componentTexts.save}
      onDone={onDone}
      onCancel={onCancel}
    />
  )
}
