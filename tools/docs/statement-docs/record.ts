import type { Db } from '@notify/db/connection';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

/** A statement as Postgres gets it. */
export interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The rows that answer the statements which match. Others are answered without a row. */
export type Answers = readonly (readonly [RegExp, object])[];

/** Runs `work` without a database, and returns the statements that it would send. */
export async function recorded(work: (db: Db) => Promise<unknown>, answers: Answers): Promise<Sent[]> {
  const sent: Sent[] = [];
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      sent.push({ sql, parameters });
      const rows = answers.filter(([matches]) => matches.test(sql)).map(([, row]) => row);
      return { rows: rows.slice(0, 1) as Row[] };
    },
    streamQuery: () => {
      throw new Error('no statement of these pages is streamed');
    },
  };
  class Recorder extends DummyDriver {
    override acquireConnection = async (): Promise<DatabaseConnection> => connection;
    override beginTransaction = async (): Promise<void> => void sent.push({ sql: 'begin', parameters: [] });
    override commitTransaction = async (): Promise<void> => void sent.push({ sql: 'commit', parameters: [] });
  }
  const db: Db = new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recorder(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  await work(db);
  return sent;
}
