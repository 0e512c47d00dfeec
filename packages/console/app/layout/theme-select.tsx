import { type ReactNode, useState } from 'react'
import { shellTexts } from '../texts/shell.ts'

/** The themes that a person can choose. `system` follows the operating system. */
type Theme = 'system' | 'light' | 'dark'

/**
 * The name of the theme in the storage of the browser. `public/theme.js` reads it before the first paint.
 */
const STORAGE_KEY = 'mintmark.theme'

/** Returns the chosen theme. */
function getTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Applies a theme and stores it for the next visit. */
function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage is blocked: the theme applies until the page is closed.
  }
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

/** Lets a person choose the theme. */
export function ThemeSelect(): ReactNode {
  const [theme, setChosen] = useState(getTheme)
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Theme</legend>
      {themes.map((each) => (
        <label key={each} className="segment">
          <input
            type="radio"
            name="theme"
            className="visually-hidden"
            checked={each === theme}
            onChange={() => {
              setTheme(each)
              setChosen(each)
            }}
          />
          <span>{shellTexts.themes[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
