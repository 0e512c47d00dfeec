import { Fragment, type ReactNode } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { t } from '../language/translate.ts'
import type { NavigationGroup } from '../navigation/items.ts'
import { shellTexts } from '../texts/shell.ts'

const SEARCH_KEYS = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl+K'

interface ShortcutHelpProps {
  readonly navigation: readonly NavigationGroup[]
  /** Whether the project has a search. */
  readonly hasSearch: boolean
  readonly onClose: () => void
}

/** Shows the keyboard shortcuts. */
export function ShortcutHelp({ navigation, hasSearch, onClose }: ShortcutHelpProps): ReactNode {
  const { shortcuts } = shellTexts
  const pages = navigation
    .flatMap(({ items }) => items)
    .flatMap(({ letter, label }) =>
      letter === undefined ? [] : [{ keys: ['g', letter], text: t('Go to {label}', { label }) }],
    )
  const rows = [
    { keys: ['/'], text: t('Focus the search') },
    ...(hasSearch ? [{ keys: [SEARCH_KEYS], text: t('Search the project and find a page') }] : []),
    { keys: ['?'], text: shortcuts.open },
    { keys: ['Esc'], text: t('Close a dialog or a menu') },
    ...pages,
  ]
  return (
    <Dialog title={t('Keyboard shortcuts')} onClose={onClose}>
      <dl className="shortcut-list stack-small">
        {rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && <span className="faint"> {t('then')} </span>}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
