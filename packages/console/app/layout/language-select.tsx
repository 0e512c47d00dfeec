import type { ReactNode } from 'react'
import { Segments } from '../components/segments.tsx'
import { changeLanguage, getLanguage, LANGUAGES, type Language } from '../language/locale.ts'
import { t } from '../language/translate.ts'

const options = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))

/** Lets a person choose the language before the sign-in. Afterwards the account menu does. */
export function LanguageSelect(): ReactNode {
  return (
    <Segments
      label={t('Language')}
      value={getLanguage()}
      options={options}
      onChange={(value) => changeLanguage(value as Language)}
    />
  )
}
