import { type FoundRecord, projectSearch } from '@mintmark/admin'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Badge } from '../../components/badge.tsx'
import type { Columns } from '../../components/data-table.tsx'
import { SearchField } from '../../components/filters.tsx'
import { Icon } from '../../components/icon.tsx'
import { formatOrderStatus, getOrderTone } from '../../components/order-status.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-view.tsx'
import { t } from '../../language/translate.ts'
import { focusSearch } from '../../layout/use-shortcuts.ts'
import { findPages } from '../../navigation/items.ts'
import { programSlugs } from '../../navigation/program-slugs.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { useProject, useSession } from '../../session/project-context.tsx'
import { searchTexts as texts } from '../../texts/search.ts'
import { componentTexts } from '../../texts/shell.ts'

const kinds: Readonly<Record<string, string>> = texts.kinds
const slugs: Readonly<Record<string, string>> = programSlugs
const reasons: Readonly<Record<string, string>> = texts.foundBy

/** Returns the address of a record below that of the project; undefined for one of a newer server. */
function toPath({ kind, id, program }: FoundRecord): string | undefined {
  if (kind === 'ORDER') return `orders/${id}`
  if (kind === 'WALLET') return `wallets/${id}`
  const slug = program === undefined ? undefined : slugs[program]
  return kind === 'CARD' && slug !== undefined ? `cards/${slug}/${id}` : undefined
}

function RecordLink({ record }: { readonly record: FoundRecord }): ReactNode {
  const path = toPath(record)
  const name = record.name === '' ? t('No name') : record.name
  if (path === undefined) return name
  return (
    <ProjectLink to={path} className="row-link">
      {name}
    </ProjectLink>
  )
}

const columns: Columns<FoundRecord> = {
  name: { label: t('Name'), cell: (record) => <RecordLink record={record} /> },
  kind: {
    label: t('Kind'),
    cell: ({ kind, orderStatus }) => (
      <span className="row">
        {kinds[kind] ?? kind}
        {orderStatus !== undefined && (
          <Badge tone={getOrderTone(orderStatus)}>{formatOrderStatus(orderStatus)}</Badge>
        )}
      </span>
    ),
  },
  foundBy: { label: t('Found by'), cell: ({ foundBy }) => reasons[foundBy] ?? foundBy },
  wallet: { label: t('Wallet'), isWideOnly: true },
  createTime: t('Created'),
}

/** Finds pages by their titles, and what a customer says among the orders, cards and wallets of the project. */
export function SearchPage(): ReactNode {
  const project = useProject()
  const session = useSession()
  const [{ q }, setSearch] = useSearchState('q')
  const query = useOperation(projectSearch.find, { text: q ?? '' }, { enabled: q !== undefined })
  const pages = q === undefined ? [] : findPages(q, session, project)
  useEffect(() => {
    if (q === undefined) focusSearch()
  }, [q])
  return (
    <>
      <PageHeader
        title={texts.title}
        description={t(
          'Enter what a customer tells you: an order number, a transaction hash, a wallet, a name, a card code or your reference. Pages are found by their titles.',
        )}
      />
      <div className="toolbar">
        <SearchField label={texts.label} value={q ?? ''} onSearch={(text) => setSearch({ q: text })} />
      </div>
      {pages.length > 0 && (
        <nav className="row section" aria-label={t('Pages of the console')}>
          {pages.map(({ path, icon, label }) => (
            <Link key={path} to={`/${path}`} className="button button-secondary">
              <Icon name={icon} />
              {label}
            </Link>
          ))}
        </nav>
      )}
      {q !== undefined && (
        <QueryTable
          label={texts.title}
          query={query}
          columns={columns}
          getKey={({ kind, id, program }) => `${kind} ${program} ${id}`}
          empty={
            <EmptyState
              icon="search"
              title={pages.length > 0 ? t('No order, card or wallet found') : componentTexts.notFoundTitle}
              advice={t('Check the spelling. Codes and references must be complete.')}
            />
          }
        />
      )}
    </>
  )
}
