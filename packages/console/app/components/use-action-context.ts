import { useNavigate } from '@tanstack/react-router'
import { useBasePath, useOpenProject, useSession } from '../session/project-context.tsx'
import type { ActionContext } from './resource-definition.ts'

/** Returns what the actions of a page can use. */
export function useActionContext(refresh: () => void, search: ActionContext['search'] = {}): ActionContext {
  const base = useBasePath()
  const navigate = useNavigate()
  const { personId } = useSession()
  const wallet = useOpenProject()?.wallet ?? ''
  return {
    go: (path) => void navigate({ to: `${base}/${path}` }),
    refresh,
    personId,
    wallet,
    count: 0,
    search,
  }
}
