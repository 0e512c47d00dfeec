import { type UseQueryResult, useQuery } from '@tanstack/react-query'

/** The parts of a JSON Schema that the explorer reads. */
export interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
  readonly description?: string
}

/** A field of an operation's input, as the server documents it. */
export interface DocumentedField {
  readonly name: string
  readonly isRequired: boolean
  /** Its docstring and its limits; `''` without any. */
  readonly description: string
  readonly schema: JsonSchema
}

/** An operation, as the server documents it. */
export interface DocumentedOperation {
  /** The docstring; `''` if the server was built without docstrings. */
  readonly description: string
  readonly fields: readonly DocumentedField[]
}

/** The operations of the server by their ids. */
export type ApiDocument = ReadonlyMap<string, DocumentedOperation>

/** The name of a component, as a part of the document refers to it. */
interface Reference {
  readonly $ref?: string
}

interface Parameter extends Reference {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
}

interface Body extends Reference {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

interface Components {
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly schemas?: Readonly<Record<string, Body>>
}

/** The parts of an OpenAPI document that the explorer reads. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components?: Components
}

interface OpenApiOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Body }>> }
}

/** Returns the component that a part of the document refers to, or the part itself. */
function resolve<Part extends Reference>(
  part: Part,
  components: Readonly<Record<string, Part>> | undefined,
): Part {
  return components?.[part.$ref?.split('/').at(-1) ?? ''] ?? part
}

/**
 * Reads the OpenAPI document of the server, whose docstrings and limits would be too much for the scripts of
 * the page.
 */
export function useApiDocument(): UseQueryResult<ApiDocument> {
  return useQuery({
    queryKey: ['api-document'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/openapi.json', { signal })
      if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
      const document: OpenApi = await response.json()
      return parseApiDocument(document)
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Collects what an OpenAPI document says about each operation. */
export function parseApiDocument({ paths, components = {} }: OpenApi): ApiDocument {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Map(
    operations.map((operation) => {
      const { operationId, summary, description = '' } = operation
      const text = summary === undefined ? description : `${summary}. ${description}`.trim()
      return [operationId, { description: text, fields: listDocumentedFields(operation, components) }]
    }),
  )
}

/** Lists the fields of an operation's input, those that are required first. Headers are no fields. */
function listDocumentedFields(
  { parameters = [], requestBody }: OpenApiOperation,
  components: Components,
): readonly DocumentedField[] {
  const inAddress = parameters
    .map((parameter) => resolve(parameter, components.parameters))
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name = '', required: isRequired = false, description = '', schema = {} }) => {
      const parts = [description, schema.description ?? ''].filter((part) => part !== '')
      return { name, isRequired, description: parts.join(' '), schema }
    })
  const bodyPart = requestBody?.content['application/json']?.schema
  const body = bodyPart && resolve(bodyPart, components.schemas)
  const inBody = Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    isRequired: body?.required?.includes(name) ?? false,
    description: schema.description ?? '',
  }))
  return [...inAddress, ...inBody].toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
}
