/**
 * Returns a program that calls both servers with the credentials. It is run in the folder where the sandbox
 * was started.
 */
export function formatFirstProgram(credentialsFile: string): string {
  return `import { readFileSync } from 'node:fs'
import { createMintmark } from 'mintmark'
const { gateway, facilitator } = JSON.parse(readFileSync(${JSON.stringify(credentialsFile)}, 'utf8'))
const { promoCodeCards, payments } = createMintmark({ gateway, facilitator })
console.log(await promoCodeCards.list(), await payments.supported())
`
}
