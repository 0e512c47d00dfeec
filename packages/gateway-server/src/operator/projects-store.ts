import type { OperatorProject } from '@mintmark/admin'
import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'

const MAX_PROJECTS = 10_000

interface Row extends Omit<OperatorProject, 'createTime'> {
  readonly createdAt: Date
}

const toProject = ({ createdAt, ...row }: Row): OperatorProject => ({
  ...row,
  createTime: createdAt.toISOString(),
})

const SELECT = sql`
  select p.id as "projectId", p.name, p.created_at as "createdAt",
    (select count(*)::int from gateway.members m where m.project_id = p.id) as people,
    (select count(*)::int from gateway.api_keys k where k.project_id = p.id and k.revoked_at is null) as "activeKeys"
  from gateway.projects p`

export async function listProjects(db: Db): Promise<OperatorProject[]> {
  const { rows } = await sql<Row>`${SELECT} order by p.name, p.id limit ${MAX_PROJECTS}`.execute(db)
  return rows.map(toProject)
}

export async function findProject(db: Db, id: number): Promise<OperatorProject | undefined> {
  const { rows } = await sql<Row>`${SELECT} where p.id = ${id}`.execute(db)
  const [row] = rows
  return row && toProject(row)
}

export async function getProject(db: Db, id: number): Promise<OperatorProject> {
  const row = await findProject(db, id)
  if (row === undefined) throw new Error(`There is no project ${id}`)
  return row
}
