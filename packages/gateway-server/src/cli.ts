#!/usr/bin/env node
import { runCommandLine } from '@mintmark/server-kit'
import { gatewayCommands } from './commands/commands.ts'
import { version } from './version.ts'

await runCommandLine({ program: 'mintmark-gateway', version }, gatewayCommands)
