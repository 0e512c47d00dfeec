import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'

/** The fields of a record by their names. Undefined, null and `''` are shown as a dash. */
export type Details = Readonly<Record<string, ReactNode>>

/** Shows the fields of a record. */
export function DetailList({ details }: { readonly details: Details }): ReactNode {
  return (
    <dl className="detail-list">
      {Object.entries(details).map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value === undefined || value === null || value === '' ? (
              <span className="faint">{componentTexts.none}</span>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface SectionProps {
  readonly title: string
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page with its own title. */
export function Section({ title, actions, children }: SectionProps): ReactNode {
  return (
    <section className="section">
      <header className="section-header">
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** A part of a page with the fields of a record. */
export function DetailSection({
  details,
  ...section
}: Omit<SectionProps, 'children'> & { readonly details: Details }): ReactNode {
  return (
    <Section {...section}>
      <div className="panel">
        <DetailList details={details} />
      </div>
    </Section>
  )
}
