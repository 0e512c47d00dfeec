import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '../../components/placeholders.tsx'
import { formatCount } from '../../format/number.ts'
import type { SearchParams } from '../../navigation/search-params.ts'
import { explorerTexts as texts } from '../../texts/explorer.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { CatalogueSection } from './catalogue.ts'

interface OperationListProps {
  readonly sections: readonly CatalogueSection[]
  /** The id of the open operation. */
  readonly current: string | undefined
  /** Whether the sections have only what a search found. */
  readonly isSearched: boolean
}

/** Links to the operations. Sections are folded, so that the keyboard reaches each with a few stops. */
export function OperationList({ sections, current, isSearched }: OperationListProps): ReactNode {
  if (sections.length === 0) {
    return (
      <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
    )
  }
  return (
    <nav aria-label="Operations" className="stack-small">
      {sections.map((section) => (
        <Section
          // What a search unfolds is folded again after it.
          key={isSearched ? `found ${section.heading}` : section.heading}
          section={section}
          isUnfolded={isSearched || section.entries.some(({ operation }) => operation.id === current)}
        />
      ))}
    </nav>
  )
}

interface SectionProps {
  readonly section: CatalogueSection
  /** Whether its operations are shown although nobody has unfolded it. */
  readonly isUnfolded: boolean
}

function Section({ section: { heading, entries }, isUnfolded }: SectionProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="fold"
      open={isOpen || isUnfolded}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {heading} <span className="muted">{formatCount(entries.length)}</span>
      </summary>
      <div className="fold-content">
        {entries.map(({ operation: { id, effect } }) => (
          <Link
            key={id}
            to="."
            search={(shown: SearchParams) => ({ ...shown, operation: id })}
            className="navigation-link explorer-link"
          >
            <code className="break">{id}</code>
            {effect === 'write' && <span className="live-dot" title={texts.effect.write} />}
          </Link>
        ))}
      </div>
    </details>
  )
}
