import { type ReactNode, useState } from 'react'
import { Checkbox, RadioGroup } from '../../components/field.tsx'
import { type EventTypeGroup, listTypeGroups } from '../../form/event-type-options.ts'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'

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
            label: t('All events'),
            description: t('Also those of types that a later version adds.'),
          },
          { value: 'some', label: t('Only some types'), description: '' },
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
          {isWhole
            ? 'all'
            : t('{chosen} of {count}', {
                chosen: formatCount(types.length),
                count: formatCount(group.types.length),
              })}
        </span>
      </summary>
      <div className="fold-content">
        <Checkbox
          label={t('All of {pattern}, also later ones', { pattern })}
          checked={isWhole}
          onChange={set(pattern)}
        />
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

/** Returns the pattern of all types of a group. */
function toPattern({ group }: EventTypeGroup): string {
  return `${group}.*`
}

/** Whether a webhook with these types and patterns receives all types of a group. */
export function isGroupChosen(chosen: readonly string[], group: EventTypeGroup): boolean {
  return chosen.includes(toPattern(group)) || chosen.includes('*')
}

/** Lists the types of a group that a webhook with these types and patterns receives. */
export function listChosenTypes(chosen: readonly string[], group: EventTypeGroup): readonly string[] {
  const types = group.types.map(({ type }) => type)
  return isGroupChosen(chosen, group) ? types : types.filter((type) => chosen.includes(type))
}

/** Adds a type or a pattern to a choice, or removes it. The pattern of a group replaces its types. */
export function choose(
  chosen: readonly string[],
  group: EventTypeGroup,
  { name, isChosen }: { readonly name: string; readonly isChosen: boolean },
): readonly string[] {
  if (!isChosen) return chosen.filter((each) => each !== name)
  const isReplaced = (each: string) =>
    name === toPattern(group) && group.types.some(({ type }) => type === each)
  return [...chosen.filter((each) => each !== name && !isReplaced(each)), name]
}
