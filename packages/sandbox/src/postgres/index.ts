export { type EmbeddedPostgres, EmbeddedPostgresError, startEmbeddedPostgres } from './embedded.ts'
export { explainFolderProblem } from './folder-problem.ts'
export {
  createTestDatabase,
  startTestServer,
  TEST_SERVER_VARIABLE,
  type TestDatabase,
  type TestTemplate,
} from './test-database.ts'
