import { type ReactNode, useState } from 'react'
import { Checkbox, RadioGroup } from '../../components/field.tsx'
import { type EventTypeGroup, listTypeGroups } from '../../form/event-type-options.ts'
import { formatCount } from '../../format/number.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { choose, isGroupChosen, listChosenTypes, toPattern } from './event-choice.ts'

interface EventPickerProps {
  /** Undefined: all events. */
  readonly chosen: readonly string[] | undefined
  readonly onChange: (chosen: readonly string[] | undefined) => void
  readonly error: string | undefined
}

const { form } = webhooksTexts

/** Lets a person choose all events, or types and groups of types. */
export function EventPicker({ chosen, onChange, error }: EventPickerProps): ReactNode {
  return (
    <div className="stack-small">
      <RadioGroup
        label={form.events}
        name="scope"
        value={chosen === undefined ? 'all' : 'some'}
        error={error}
        options={[
          {
            value: 'all',
            label: 'All events',
            description: 'Also those of types that a later version adds.',
          },
          { value: 'some', label: 'Only some types', description: '' },
        ]}
        onChange={(value) => onChange(value === 'all' ? undefined : [])}
      />
      {chosen !== undefined &&
        listTypeGroups().map((group) => (
          <GroupChoice key={group.group} group={group} chosen={chosen} onChange={onChange} />
        ))}
    </div>
  )
}

interface GroupChoiceProps {
  readonly group: EventTypeGroup
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

/** The types of a group, folded unless one of them was chosen before. */
function GroupChoice({ group, chosen, onChange }: GroupChoiceProps): ReactNode {
  const isWhole = isGroupChosen(chosen, group)
  const types = listChosenTypes(chosen, group)
  const [isOpenFirst] = useState(types.length > 0)
  const set = (name: string) => (isChosen: boolean) => onChange(choose(chosen, group, { name, isChosen }))
  const pattern = toPattern(group)
  return (
    <details className="fold" open={isOpenFirst}>
      <summary>
        <code>{pattern}</code>{' '}
        <span className="muted">
          {isWhole ? 'all' : `${formatCount(types.length)} of ${formatCount(group.types.length)}`}
        </span>
      </summary>
      <div className="fold-content">
        <Checkbox label={`All of ${pattern}, also later ones`} checked={isWhole} onChange={set(pattern)} />
        {group.types.map(({ type, description }) => (
          <Checkbox
            key={type}
            label={type}
            description={description}
            checked={types.includes(type)}
            disabled={isWhole}
            onChange={set(type)}
          />
        ))}
      </div>
    </details>
  )
}
