import type { ReactNode } from 'react'
import { shellTexts } from '../texts/shell.ts'
import { useDocumentTitle } from './page-header.tsx'
import '../styles/lone-page.css'

interface LonePageProps {
  readonly title: string
  readonly children: ReactNode
}

/** A page outside of the frame, for people who are not signed in. */
export function LonePage({ title, children }: LonePageProps): ReactNode {
  useDocumentTitle(title)
  return (
    <main className="lone-page">
      <div className="stack">
        <div className="lone-page-brand">
          <img src="/console/icon.svg" alt="" width="32" height="32" />
          {shellTexts.product}
        </div>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
