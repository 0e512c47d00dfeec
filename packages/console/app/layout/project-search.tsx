import { useNavigate } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { Icon } from '../components/icon.tsx'
import { searchTexts } from '../texts/search.ts'

interface ProjectSearchProps {
  /** The address of the page with what is found. */
  readonly path: string
  /** Called when the search is opened. */
  readonly onSearch: () => void
}

/** Opens the search of a project. The key `/` moves the focus to it on pages that have no search. */
export function ProjectSearch({ path, onSearch }: ProjectSearchProps): ReactNode {
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget).get('q')).trim()
    event.currentTarget.reset()
    void navigate({ to: path, search: q === '' ? {} : { q } })
    onSearch()
  }
  return (
    <search className="search-field sidebar-search">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          type="search"
          name="q"
          className="input"
          aria-label={searchTexts.label}
          placeholder={searchTexts.title}
          aria-keyshortcuts="Control+K Meta+K"
          data-search
        />
      </form>
    </search>
  )
}
