import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Descriptions } from './descriptions.ts'
import { replaceFile } from './outputs.ts'

/** Where the documents of the package `mintmark` say that the servers are: the addresses of the sandbox. */
const SERVER_URLS = { gateway: 'http://127.0.0.1:4000', facilitator: 'http://127.0.0.1:4001' }

/** Creates the OpenAPI documents of both servers, by the server's name. */
export async function createOpenApiDocuments(descriptions: Descriptions) {
  // These modules import the packages' sources, which need no build.
  const gateway = await import('../../packages/gateway-server/src/main/openapi-document.ts')
  const facilitator = await import('../../packages/facilitator-server/src/openapi-document.ts')
  return {
    gateway: gateway.createGatewayDocument(SERVER_URLS.gateway, descriptions),
    facilitator: facilitator.createFacilitatorDocument(SERVER_URLS.facilitator, descriptions),
  }
}

/** Writes the OpenAPI documents of both servers into the package `mintmark`. */
export async function writeOpenApiDocuments(root: string, descriptions: Descriptions): Promise<void> {
  const folder = join(root, 'packages/mintmark/dist/openapi')
  mkdirSync(folder, { recursive: true })
  for (const [name, document] of Object.entries(await createOpenApiDocuments(descriptions)))
    replaceFile(join(folder, `${name}.json`), JSON.stringify(document))
}
