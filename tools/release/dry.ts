// `npm run release:dry`: a release up to the point where packages would be published to npm. They are published to a registry of this
// machine instead, and installed from there as users would: each domain by itself, two together, everything. A program runs in each.
import { clientProjects, surprises } from './projects.ts'
import { startRehearsal } from './rehearsal.ts'

const begun = performance.now()
const say = (text: string) =>
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`)

function complain(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

say('writing versions, packing, publishing to a registry of this machine, starting the installed servers')
const rehearsal = await startRehearsal()
try {
  for (const { manifest, files } of rehearsal.packed)
    say(`published ${manifest.name} ${manifest.version}, ${files.length} files`)
  complain(rehearsal.problems)
  for (const project of [rehearsal.everything, ...clientProjects]) {
    const { installed, printed } = await rehearsal.tryOut(project)
    say(`${project.name}: ${printed}`)
    complain(surprises(project, installed))
    const names = installed.map(({ name, version }) => `${name} ${version}`)
    console.log(`        ${project.installed ? names.join(', ') : `${names.length} packages`}`)
  }
} finally {
  await rehearsal.end()
}
