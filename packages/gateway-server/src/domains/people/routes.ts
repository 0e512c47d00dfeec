import { apiKeyRoutes } from './api-key-handlers.ts'
import { peopleRoutes } from './people-handlers.ts'
import { publishableKeyRoutes } from './publishable-key-handlers.ts'
import { sessionRoutes } from './session-handlers.ts'

/** The operations of people, their sessions and keys. */
export const adminRoutes = [...sessionRoutes, ...peopleRoutes, ...apiKeyRoutes, ...publishableKeyRoutes]
