import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'

/** A field of a record with its name. */
export interface Detail {
  readonly label: string
  /** Undefined, null and `''` are shown as a dash. */
  readonly value: ReactNode
}

/** Shows the fields of a record. */
export function DetailList({ details }: { readonly details: readonly Detail[] }): ReactNode {
  return (
    <dl className="detail-list">
      {details.map(({ label, value }) => (
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
}: Omit<SectionProps, 'children'> & { readonly details: readonly Detail[] }): ReactNode {
  return (
    <Section {...section}>
      <div className="panel">
        <DetailList details={details} />
      </div>
    </Section>
  )
}
