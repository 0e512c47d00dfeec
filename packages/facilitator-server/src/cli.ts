#!/usr/bin/env node
import { runCommandLine } from '@mintmark/server-kit'
import { facilitatorCommands } from './commands/commands.ts'
import { version } from './operations/version.ts'

await runCommandLine({ program: 'mintmark-facilitator', version }, facilitatorCommands)
