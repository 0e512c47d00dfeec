import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface RedirectProps {
  /** The path of a page. */
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
}

/**
 * Leads to another page, once. The router's own component would do it again whenever it is rendered, also
 * while the scripts of the other page load, and each time from another address.
 */
export function Redirect({ to, search = {} }: RedirectProps): ReactNode {
  const router = useRouter()
  const target = useRef({ to, search })
  useEffect(() => {
    void router.navigate({ ...target.current, replace: true })
  }, [router])
  return null
}
