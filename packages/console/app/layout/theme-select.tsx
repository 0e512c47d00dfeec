import { type ReactNode, useState } from 'react'
import { Segments } from '../components/segments.tsx'
import { t } from '../language/translate.ts'
import { readChoice } from '../navigation/search-params.ts'
import { shellTexts } from '../texts/shell.ts'

/** The themes that a person can choose. `system` follows the operating system. */
type Theme = 'system' | 'light' | 'dark'

/**
 * The name of the theme in the storage of the browser. `public/preferences.js` reads it before the first paint.
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

const options = Object.entries(shellTexts.themes).map(([value, label]) => ({ value, label }))

/** Lets a person choose the theme. */
export function ThemeSelect(): ReactNode {
  const [theme, setChosen] = useState(getTheme)
  const choose = (value: string) => {
    const chosen = readChoice(value, shellTexts.themes) ?? 'system'
    setTheme(chosen)
    setChosen(chosen)
  }
  return <Segments label={t('Theme')} value={theme} options={options} onChange={choose} />
}
