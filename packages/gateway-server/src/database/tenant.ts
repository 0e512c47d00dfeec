import { type Database, type TransactionOptions, transaction } from '@mintmark/server-kit'
import type {
  DeleteQueryBuilder,
  DeleteResult,
  Insertable,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  QueryExecutorProvider,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { Db, Tables } from './tables.ts'

/** The tables whose rows belong to projects. */
export type TenantTable = {
  [Table in keyof Tables]: Tables[Table] extends { project_id: unknown } ? Table : never
}[keyof Tables]

/** The columns of a new row, without its project. */
export type NewRow<Table extends TenantTable> = Omit<Insertable<Tables[Table]>, 'project_id'>

/** The columns of a new row as values or expressions, without its project. */
type NewRowValues<Table extends TenantTable> = Omit<InsertObject<Tables, Table>, 'project_id'>

/** An insert that waits for its rows. */
interface TenantInsert<Table extends TenantTable> {
  /** Adds the project to each row. */
  values(
    rows: NewRowValues<Table> | readonly NewRowValues<Table>[],
  ): InsertQueryBuilder<Tables, Table, InsertResult>
}

/**
 * A project with a connection, or a transaction, that is bound to it. Its statements name the project, which
 * their indexes start with. Joins and raw SQL name it themselves: `project` is its id, and a tenant executes
 * raw SQL like a connection.
 *
 * @example
 * await tenant.selectFrom('gateway.cards').selectAll().where('id', '=', 7).executeTakeFirst()
 * await sql`select from gateway.cards where project_id = ${tenant.project}`.execute(tenant)
 */
export class Tenant implements QueryExecutorProvider {
  /** The project's id. */
  readonly project: number
  /** For statements that name their projects themselves. */
  readonly db: Db

  constructor(db: Db, project: number) {
    this.db = db
    this.project = project
  }

  selectFrom<Table extends TenantTable>(table: Table): SelectQueryBuilder<Tables, Table, object> {
    const rows = this.#anyTable.selectFrom<TenantTable>(table).where('project_id', '=', this.project)
    return rows as unknown as SelectQueryBuilder<Tables, Table, object>
  }

  updateTable<Table extends TenantTable>(
    table: Table,
  ): UpdateQueryBuilder<Tables, Table, Table, UpdateResult> {
    const rows = this.#anyTable.updateTable<TenantTable>(table).where('project_id', '=', this.project)
    return rows as unknown as UpdateQueryBuilder<Tables, Table, Table, UpdateResult>
  }

  deleteFrom<Table extends TenantTable>(table: Table): DeleteQueryBuilder<Tables, Table, DeleteResult> {
    const rows = this.#anyTable.deleteFrom<TenantTable>(table).where('project_id', '=', this.project)
    return rows as unknown as DeleteQueryBuilder<Tables, Table, DeleteResult>
  }

  insertInto<Table extends TenantTable>(table: Table): TenantInsert<Table> {
    const insert = this.#anyTable.insertInto(table)
    return {
      values: (rows) => {
        const newRows = Array.isArray(rows) ? rows : [rows]
        const complete = newRows.map((row) => ({ ...row, project_id: this.project }))
        return insert.values(complete) as unknown as InsertQueryBuilder<Tables, Table, InsertResult>
      },
    }
  }

  /**
   * Runs work in a transaction, or under a savepoint of the present one; see `transaction` of the server kit.
   */
  async transaction<Result>(
    work: (tenant: Tenant) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result> {
    return await transaction(this.db, (trx) => work(new Tenant(trx, this.project)), options)
  }

  /** Executes raw SQL: `sql`…`.execute(tenant)`. */
  getExecutor(): ReturnType<Db['getExecutor']> {
    return this.db.getExecutor()
  }

  /**
   * Kysely checks columns by the literal name of their table. Here the table is any of those with a project.
   */
  get #anyTable(): Kysely<Record<TenantTable, { project_id: number }>> {
    return this.db as unknown as Kysely<Record<TenantTable, { project_id: number }>>
  }
}

/** Opens a project of the database. */
export function openTenant(database: Database<Tables>, project: number): Tenant {
  return new Tenant(database.forProject(project), project)
}
