import { type ReactNode, useState } from 'react'
import { CodeView } from '../../components/json-view.tsx'
import { Segments } from '../../components/segments.tsx'
import { explorerTexts } from '../../texts/explorer.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { type SnippetCall, writeCommand, writeShellScript, writeTypeScript } from './snippets.ts'

interface CodePanelProps {
  readonly entry: CatalogueEntry
  readonly input: Readonly<Record<string, unknown>>
}

const { code: texts } = explorerTexts

/** The languages that the page writes calls in. */
const languages = {
  typescript: { label: 'TypeScript', write: writeTypeScript },
  curl: { label: 'Shell', write: writeShellScript },
  cli: { label: 'Command line', write: writeCommand },
} as const satisfies Record<string, { label: string; write: (call: SnippetCall) => string }>

type Language = keyof typeof languages

/** The code of a call with the input as it is entered. */
export function CodePanel({ entry, input }: CodePanelProps): ReactNode {
  const [language, setLanguage] = useState<Language>('typescript')
  const { label, write } = languages[language]
  const text = write({ entry, input, baseUrl: location.origin })
  const { hints } = texts
  const hint =
    language === 'typescript' ? hints.typescript(`${entry.packageName} @mintmark/transport`) : hints[language]
  return (
    <section className="stack-small explorer-code" aria-label={texts.title}>
      <div className="section-header">
        <h3>{texts.title}</h3>
        <Segments
          label="Language"
          value={language}
          options={Object.entries(languages).map(([value, each]) => ({ value, label: each.label }))}
          // The options are the keys of `languages`.
          onChange={(value) => setLanguage(value as Language)}
        />
      </div>
      <CodeView label={`Code in ${label}`} text={text} copyLabel="Copy the code" />
      <p className="field-description">{hint}</p>
    </section>
  )
}
