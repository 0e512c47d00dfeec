import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { LOCALE } from '../language/locale.ts'
import { Icon, type IconName } from './icon.tsx'

/** A command of a menu. */
export interface MenuEntry {
  /** Unique in the menu. */
  readonly key: string
  readonly label: string
  readonly icon?: IconName
  /** Marks the current one of several. */
  readonly isCurrent?: boolean
  /** Marks what cannot be undone. */
  readonly isDangerous?: boolean
  readonly onSelect: () => void
}

interface MenuProps {
  /** The name of the button that opens the menu. */
  readonly label: string
  /** What the button shows. Default: three dots. */
  readonly children?: ReactNode
  /** The look of the button. */
  readonly kind?: 'icon' | 'wide'
  readonly entries: readonly MenuEntry[]
  /** Whether the menu is open when it is first shown. Default: no. */
  readonly isOpenFirst?: boolean
}

/**
 * A button that opens a menu of commands. React Aria handles its keys, its search by typing and its position.
 */
export function Menu(props: MenuProps): ReactNode {
  const { label, children, kind = 'icon', entries, isOpenFirst = false } = props
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!isOpenFirst) return
    // The menu returns the focus to what had it when it opened.
    button.current?.focus()
    setIsOpen(true)
  }, [isOpenFirst])
  return (
    <I18nProvider locale={LOCALE}>
      <MenuTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
        <AriaButton
          ref={button}
          className={kind === 'icon' ? 'icon-button' : 'menu-button'}
          aria-label={label}
        >
          {children ?? <Icon name="more" />}
        </AriaButton>
        <Popover className="popover frame">
          <AriaMenu className="menu" aria-label={label}>
            {entries.map((entry) => (
              <MenuItem
                key={entry.key}
                id={entry.key}
                textValue={entry.label}
                className={entry.isDangerous ? 'menu-item menu-item-danger' : 'menu-item'}
                onAction={entry.onSelect}
              >
                {entry.icon !== undefined && <Icon name={entry.icon} />}
                <span className="grow truncate">{entry.label}</span>
                {entry.isCurrent && <Icon name="check" />}
              </MenuItem>
            ))}
          </AriaMenu>
        </Popover>
      </MenuTrigger>
    </I18nProvider>
  )
}
