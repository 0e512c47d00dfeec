import type { Metadata, Viewport } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import './style.css'

export const metadata: Metadata = { title: 'Print shop', description: 'Numbered prints, paid by wallet.' }
export const viewport: Viewport = { colorScheme: 'light dark' }

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <header>
          <Link href="/">Print shop</Link>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
