import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveState } from './live.ts'
import { checkSession } from './query-client.ts'

/**
 * Follows the events of a project while the component is shown, and returns whether they arrive. Follows
 * nothing without a project.
 */
export function useLive(projectId: number | undefined): LiveState {
  const queryClient = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    if (projectId === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    setState('connecting')
    const follow = async () => {
      const { followEvents } = await import('./live.ts')
      await followEvents({ projectId, queryClient, signal, onState: setState })
    }
    follow().catch((error: unknown) => {
      if (signal.aborted) return
      setState('stopped')
      void checkSession(queryClient, error)
    })
    return () => controller.abort()
  }, [projectId, queryClient])
  return state
}
