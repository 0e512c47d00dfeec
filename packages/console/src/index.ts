import { fileURLToPath } from 'node:url'

/**
 * The folder of the console's files: `index.html` and what it loads. The gateway serves them below
 * `/console/`.
 */
export const consoleFolder: string = fileURLToPath(new URL('../dist/site/', import.meta.url))
