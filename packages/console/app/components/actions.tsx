import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { useBasePath, useMayAct } from '../session/project-context.tsx'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { LazyMenu } from './lazy-menu.tsx'

interface ActionBase {
  /** A verb: `Revoke`. */
  readonly label: string
  readonly icon?: IconName
  /** `primary` for the main action of a page. */
  readonly kind?: 'primary'
  /** Marks what cannot be undone. */
  readonly isDangerous?: boolean
  /** Whether people who may change nothing see it too. Default: no. */
  readonly isForReaders?: boolean
}

/** What a person can do with a page, a section or a record. */
export type Action = ActionBase &
  (
    | { readonly onSelect: () => unknown }
    /** The page that it opens, below the address of the project or of operators. */
    | { readonly to: string; readonly search?: Readonly<Record<string, string>> }
  )

/** Actions; `false` and undefined are left out. */
export type Actions = readonly (Action | false | undefined)[]

/** Returns the actions that the person may see. */
function useAllowed(actions: Actions): readonly Action[] {
  const mayAct = useMayAct()
  return actions.flatMap((action) => (action && (mayAct || action.isForReaders) ? [action] : []))
}

/** The buttons of a page or a section. */
export function ActionButtons({ actions }: { readonly actions: Actions }): ReactNode {
  const base = useBasePath()
  return useAllowed(actions).map((action) => {
    const { label, icon, kind = 'secondary' } = action
    if ('onSelect' in action) {
      return (
        <Button key={label} kind={kind} {...(icon && { icon })} onClick={() => void action.onSelect()}>
          {label}
        </Button>
      )
    }
    return (
      <Link
        key={label}
        to={`${base}/${action.to}`}
        search={action.search ?? {}}
        className={`button button-${kind}`}
      >
        {icon !== undefined && <Icon name={icon} />}
        {label}
      </Link>
    )
  })
}

interface RowActionsProps {
  /** The name of the record, for screen readers. */
  readonly name: string
  readonly actions: Actions
}

/** What a person can do with a record: a button, or a menu of several. */
export function RowActions({ name, actions }: RowActionsProps): ReactNode {
  const allowed = useAllowed(actions).flatMap((action) => ('onSelect' in action ? [action] : []))
  const [only, ...others] = allowed
  if (only === undefined) return null
  if (others.length === 0) {
    return (
      <Button kind="plain" aria-label={`${only.label} ${name}`} onClick={() => void only.onSelect()}>
        {only.label}
      </Button>
    )
  }
  return (
    <LazyMenu
      label={t('Actions for {name}', { name })}
      entries={allowed.map(({ label, icon, isDangerous = false, onSelect }) => ({
        key: label,
        label,
        isDangerous,
        ...(icon && { icon }),
        onSelect: () => void onSelect(),
      }))}
    />
  )
}
