import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Copy, DockerfileParser } from 'dockerfile-ast'
import { run } from '../../../tools/run.ts'

/** What a Dockerfile made of a stage, as files of this machine instead of an image. */
export interface Image {
  /** The folder that is the file system of the image. */
  readonly root: string
  /** The folder of the commands. */
  readonly workingFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

interface Stage extends Image {
  readonly name: string
}

/** What a build may not copy, as in the list of ignored files. */
const IGNORED = new Set(['node_modules', 'dist', '.mintmark'])

/**
 * Executes the instructions of a Dockerfile on this machine: each stage is a folder, its commands run there,
 * and images of others are an empty folder with this machine's Node. Absolute paths in commands are not
 * supported.
 */
export async function buildImages(
  dockerfile: string,
  { context, folder }: { context: string; folder: string },
): Promise<ReadonlyMap<string, Image>> {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const instruction of DockerfileParser.parse(readFileSync(dockerfile, 'utf8')).getInstructions()) {
    const text = instruction.getArgumentsContent() ?? ''
    if (instruction.getKeyword() === 'FROM') {
      const [base = '', , name = ''] = text.split(/\s+/)
      stage = openStage(name, stages.get(base), folder)
    } else if (stage === undefined) {
      throw new Error(`${instruction.getInstruction()} before FROM`)
    } else {
      stage = await execute(stage, { instruction, text, stages, context })
    }
    stages.set(stage.name, stage)
  }
  return stages
}

function openStage(name: string, base: Stage | undefined, folder: string): Stage {
  const root = join(folder, name)
  mkdirSync(root, { recursive: true })
  if (base === undefined)
    return {
      name,
      root,
      workingFolder: root,
      env: {},
      user: 'root',
      entrypoint: [],
      command: [],
      healthCheck: [],
    }
  cpSync(base.root, root, { recursive: true, verbatimSymlinks: true })
  return { ...base, name, root, workingFolder: join(root, base.workingFolder.slice(base.root.length)) }
}

type Instruction = ReturnType<ReturnType<typeof DockerfileParser.parse>['getInstructions']>[number]

interface Step {
  readonly instruction: Instruction
  readonly text: string
  readonly stages: ReadonlyMap<string, Stage>
  readonly context: string
}

async function execute(stage: Stage, { instruction, text, stages, context }: Step): Promise<Stage> {
  const keyword = instruction.getKeyword()
  switch (keyword) {
    case 'WORKDIR': {
      const workingFolder = join(stage.root, text)
      mkdirSync(workingFolder, { recursive: true })
      return { ...stage, workingFolder }
    }
    case 'COPY':
      // The parser's type of an instruction with this keyword.
      copyFiles(stage, instruction as Copy, { stages, context })
      return stage
    case 'RUN':
      await run('sh', ['-c', text], { cwd: stage.workingFolder, env: { ...process.env, ...stage.env } })
      return stage
    case 'ENV': {
      const pairs = text.split(/\s+/).map((pair) => pair.split('='))
      return { ...stage, env: { ...stage.env, ...Object.fromEntries(pairs) } }
    }
    case 'USER':
      return { ...stage, user: text }
    case 'ENTRYPOINT':
      return { ...stage, entrypoint: JSON.parse(text) }
    case 'CMD':
      return { ...stage, command: JSON.parse(text) }
    case 'HEALTHCHECK':
      return { ...stage, healthCheck: JSON.parse(text.slice(text.indexOf('CMD ') + 'CMD '.length)) }
    case 'EXPOSE':
      return stage
    default:
      throw new Error(`The test cannot execute ${keyword}`)
  }
}

function copyFiles(
  stage: Stage,
  instruction: Copy,
  { stages, context }: Pick<Step, 'stages' | 'context'>,
): void {
  const paths = instruction.getArguments().map((argument) => argument.getValue())
  const target = paths.at(-1) ?? ''
  const from = instruction.getFromFlag()?.getValue()
  for (const source of paths.slice(0, -1)) {
    if (from !== undefined && from !== null) {
      const other = stages.get(from)
      if (other === undefined) throw new Error(`There is no stage ${from}`)
      const folder = join(other.root, source)
      cpSync(folder, join(stage.workingFolder, target), { recursive: true, verbatimSymlinks: true })
    } else {
      const to = join(stage.workingFolder, target, target.endsWith('/') ? basename(source) : '')
      cpSync(join(context, source), to, {
        recursive: true,
        filter: (path) => !IGNORED.has(basename(path)),
      })
    }
  }
}
