import type { OperationShape } from '@mintmark/operation'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import { type Input, rawCallOf, sampleProject } from '../src/testing/samples/calls.ts'
import { samples } from '../src/testing/samples/index.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await testGateway()
})
afterAll(() => gateway.close())

const lists = routes
  .map(({ operation }) => operation)
  // Operators only. It reads what `audit.list` reads, of project 0.
  .filter(({ paged, id }) => paged === true && id !== 'serverAudit.list')

it.each(lists.map((operation) => [operation.id, operation] as const))(
  '%s can be ordered by the fields that its operation names, and refuses others with their names',
  async (id, operation: OperationShape) => {
    const sample = samples.find((each) => each.operation.id === id)
    if (sample === undefined) throw new Error(`${id} has no sample`)
    const project = await sampleProject(gateway, id)
    const input = (await sample.input(project)) as Input
    const list = async (orderBy: string) =>
      (await project.key.call(rawCallOf(operation, { ...input, orderBy }))).json
    const { orders = ['id', 'createTime'] } = operation
    for (const field of orders)
      for (const direction of ['', ' asc', ' desc'])
        expect(await list(`${field}${direction}`)).toMatchObject({ code: 200 })
    const { code, data } = await list('nothing')
    expect(code).toBe(400)
    const { issues } = data as unknown as { issues: { path: string; message: string }[] }
    expect(issues).toHaveLength(1)
    expect(issues[0]?.path).toBe('orderBy')
    const [, names = ''] = /^Expected one of ([\w, ]+), optionally/.exec(issues[0]?.message ?? '') ?? []
    expect(names.split(', ').toSorted()).toEqual([...orders].toSorted())
  },
)
