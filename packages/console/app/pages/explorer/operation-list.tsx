import type { ReactNode } from 'react'
import { Header, ListBox, ListBoxItem, ListBoxSection, type Selection } from 'react-aria-components/ListBox'
import { EmptyState } from '../../components/placeholders.tsx'
import { explorerTexts as texts } from '../../texts/explorer.ts'
import { componentTexts } from '../../texts/shell.ts'
import type { CatalogueSection } from './catalogue.ts'

interface OperationListProps {
  readonly sections: readonly CatalogueSection[]
  /** The id of the shown operation. */
  readonly current: string | undefined
  readonly onSelect: (id: string) => void
}

/** The operations as one stop of the keyboard: React Aria handles the arrow keys within it, Home, End and searching by typing. */
export function OperationList({ sections, current, onSelect }: OperationListProps): ReactNode {
  if (sections.length === 0) {
    return (
      <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
    )
  }
  function change(selection: Selection): void {
    const [id] = selection
    if (typeof id === 'string') onSelect(id)
  }
  return (
    <ListBox
      className="explorer-sections"
      aria-label={texts.operations}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={current === undefined ? [] : [current]}
      onSelectionChange={change}
    >
      {sections.map(({ heading, entries }) => (
        <ListBoxSection key={heading} id={`section ${heading}`} className="stack-small">
          <Header className="navigation-title">{heading}</Header>
          {entries.map(({ operation: { id, effect } }) => (
            <ListBoxItem key={id} id={id} textValue={id} className="explorer-link">
              <code className="break">{id}</code>
              {effect === 'write' && <span className="explorer-dot" title={texts.effect.write} />}
            </ListBoxItem>
          ))}
        </ListBoxSection>
      ))}
    </ListBox>
  )
}
