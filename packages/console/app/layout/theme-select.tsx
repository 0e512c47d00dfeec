import { type ReactNode, useState } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { getTheme, setTheme, type Theme } from '../theme/theme.ts'

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
