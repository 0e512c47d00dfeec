import type { ReactNode } from 'react'
import { Section } from '../../../components/detail-list.tsx'
import { TechnicalDetails } from '../../../components/technical-details.tsx'
import { t } from '../../../language/translate.ts'
import { componentTexts } from '../../../texts/shell.ts'
import { TECHNICAL_FIELDS } from '../card-fields.ts'
import type { FieldSource, ImportField } from './import-fields.ts'
import type { ImportFile } from './import-file.ts'
import type { CurrentImport } from './use-import.ts'

interface MappingTableProps {
  readonly current: CurrentImport
  readonly file: ImportFile
}

/** Says for each field from which column it comes, or which value all rows have. */
export function MappingTable({ current, file }: MappingTableProps): ReactNode {
  const { fields, mapping, assign } = current
  const technical = fields.filter(isTechnical)
  const sourceOf = (name: string): FieldSource => mapping[name] ?? { kind: 'none' }
  const toRow = (field: ImportField) => (
    <MappingRow
      key={field.name}
      field={field}
      source={sourceOf(field.name)}
      file={file}
      onChange={(source) => assign({ ...mapping, [field.name]: source })}
    />
  )
  return (
    <Section title={t('Columns')}>
      <p className="muted">
        {t('Say which column has which field. A field can have the same value in all rows.')}
      </p>
      <form className="stack-small" noValidate onSubmit={(event) => event.preventDefault()}>
        <ul className="frame">{fields.filter((field) => !isTechnical(field)).map(toRow)}</ul>
        <TechnicalDetails isOpen={technical.some(({ name }) => sourceOf(name).kind !== 'none')}>
          <ul className="frame">{technical.map(toRow)}</ul>
        </TechnicalDetails>
      </form>
    </Section>
  )
}

const isTechnical = ({ name }: ImportField) => TECHNICAL_FIELDS.has(name)

interface MappingRowProps {
  readonly field: ImportField
  readonly source: FieldSource
  readonly file: ImportFile
  readonly onChange: (source: FieldSource) => void
}

function MappingRow({ field, source, file, onChange }: MappingRowProps): ReactNode {
  const { label, isRequired } = field
  const example = source.kind === 'column' ? file.records[0]?.cells[source.index] : undefined
  return (
    <li className="mapping-row">
      <div className="medium">
        {label}
        {isRequired && <span className="faint"> {t('(required)')}</span>}
      </div>
      <select
        className="input select"
        aria-label={t('Source of {label}', { label })}
        value={source.kind === 'column' ? String(source.index) : source.kind}
        onChange={({ target }) => onChange(toSource(target.value))}
      >
        <option value="none">{t('Not in the file')}</option>
        <option value="fixed">{t('The same for all rows')}</option>
        {file.header.map((name, index) => (
          <option key={index} value={index}>
            {name}
          </option>
        ))}
      </select>
      {source.kind === 'fixed' ? (
        <input
          className="input"
          aria-label={t('Value of {label} in all rows', { label })}
          value={source.text}
          onChange={({ target }) => onChange({ kind: 'fixed', text: target.value })}
        />
      ) : (
        <span className="muted truncate" title={example}>
          {example === undefined || example === '' ? componentTexts.none : example}
        </span>
      )}
    </li>
  )
}

function toSource(value: string): FieldSource {
  if (value === 'none') return { kind: 'none' }
  return value === 'fixed' ? { kind: 'fixed', text: '' } : { kind: 'column', index: Number(value) }
}
