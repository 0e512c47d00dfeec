import { Fragment, type ReactNode } from 'react'
import { Dialog } from '../components/dialog.tsx'
import type { NavigationGroup } from '../navigation/items.ts'
import { shellTexts } from '../texts/shell.ts'

interface ShortcutHelpProps {
  readonly navigation: readonly NavigationGroup[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Shows the keyboard shortcuts. */
export function ShortcutHelp({ navigation, isOpen, onClose }: ShortcutHelpProps): ReactNode {
  const { shortcuts } = shellTexts
  const pages = navigation
    .flatMap(({ items }) => items)
    .flatMap(({ letter, label }) =>
      letter === undefined ? [] : [{ keys: ['g', letter], text: `Go to ${label}` }],
    )
  const rows = [
    { keys: ['/'], text: 'Focus the search' },
    { keys: ['?'], text: shortcuts.open },
    { keys: ['Esc'], text: 'Close a dialog or a menu' },
    ...pages,
  ]
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="shortcut-list">
        {rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && <span className="faint"> then </span>}
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
