import { stopStarted } from '@mintmark/devkit/stop-after-file'
import { afterAll } from 'vitest'

// Hooks run in the reverse order, so this one runs after those of the file.
afterAll(stopStarted)
