import { testDatabase } from '@notify/testkit';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import {
  bigint,
  bool,
  bytea,
  float8,
  int,
  jsonb,
  smallint,
  text,
  timestamptz,
  unnestRows,
  uuid,
} from '../../src/connection/rows.ts';

interface Animal {
  readonly id: string;
  readonly name: string | null;
  readonly legs: number | null;
  readonly born: Date | null;
  readonly tags: readonly string[] | null;
}

const cat: Animal = {
  id: '01a20141-33aa-7949-bf11-c78274541723',
  name: 'a "quoted" {cat}, \\ NULL',
  legs: 4,
  born: new Date('2026-02-03T04:05:06.789Z'),
  tags: ['{"a"}', 'b,c'],
};
const nobody: Animal = { ...cat, name: null, legs: null, born: null, tags: null };
const worm: Animal = { ...cat, name: '', legs: 0, tags: [] };

test('rows arrive as they are, by the names of their columns, with what is null', async () => {
  await using database = await testDatabase();
  const rows = unnestRows(
    'a',
    [cat, nobody, worm],
    {
      name: text((one) => one.name),
      legs: int((one) => one.legs),
      short: smallint((one) => one.legs),
      long: bigint((one) => (one.legs === null ? null : String(one.legs))),
      half: float8((one) => (one.legs === null ? null : one.legs / 8)),
      walks: bool((one) => (one.legs === null ? null : one.legs > 0)),
      born: timestamptz((one) => one.born),
      tags: jsonb((one) => one.tags),
      hash: bytea((one) => (one.name === null ? null : '\\x00ff')),
      id: uuid((one) => one.id),
    },
    'place',
  );
  const found = await sql`
    select id, name, legs, short, long, half, walks, born, tags, encode(hash, 'hex') as hash, place::int
    from ${rows} order by place`.execute(database.db);
  const { id } = cat;
  expect(found.rows).toEqual([
    { ...cat, short: 4, long: '4', half: 0.5, walks: true, hash: '00ff', place: 1 },
    {
      id,
      name: null,
      legs: null,
      short: null,
      long: null,
      half: null,
      walks: null,
      born: null,
      tags: null,
      hash: null,
      place: 2,
    },
    { ...worm, short: 0, long: '0', half: 0, walks: false, hash: '00ff', place: 3 },
  ]);
});

test('the text is the same for any number of rows', () => {
  const compiler = new Kysely<never>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
  const textFor = (animals: readonly Animal[]): string => {
    const rows = unnestRows('a', animals, { id: uuid((one) => one.id), legs: int((one) => one.legs) });
    return sql`select * from ${rows}`.compile(compiler).sql;
  };
  expect(textFor([cat])).toBe('select * from unnest($1::uuid[], $2::int[]) as a(id, legs)');
  expect(new Set([[], [cat], [cat, nobody, worm]].map(textFor)).size).toBe(1);
});

test('a value is checked against the type of its column', () => {
  const wrong = [
    // @ts-expect-error a number is no text
    unnestRows('a', [cat], { legs: text((one) => one.legs) }),
    // @ts-expect-error a text is no number
    unnestRows('a', [cat], { name: int((one) => one.name) }),
    // @ts-expect-error hex begins with \x
    unnestRows('a', [cat], { hash: bytea((one) => one.id) }),
    // @ts-expect-error a row has no such field
    unnestRows('a', [cat], { wings: int((one) => one.wings) }),
  ];
  // The compiler is what fails here.
  expect(wrong).toHaveLength(4);
});
