import { randomUUID } from 'node:crypto';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { uuids } from '../src/connection/binary-arrays.ts';

test('an array of UUIDs arrives as it is, with what is null, and empty', async () => {
  await using database = await testDatabase();
  const ids = Array.from({ length: 300 }, () => randomUUID());
  for (const sent of [[], [null], ['01a20141-33aa-7949-bf11-c78274541723'], [null, ...ids, null, ...ids]]) {
    const { rows } = await sql<{ got: string[] }>`select ${uuids(sent)}::uuid[]::text[] as got`.execute(
      database.db,
    );
    expect(rows[0]!.got).toEqual(sent);
  }
  const upper = '01A20141-33AA-7949-BF11-C78274541723';
  const { rows } = await sql<{
    same: boolean;
  }>`select ${uuids([upper])}::uuid[] = array[${upper}::uuid] as same`.execute(database.db);
  expect(rows[0]!.same).toBe(true);
});

test.each([
  '',
  'x',
  '01a20141-33aa-7949-bf11-c7827454172',
  '01a20141-33aa-7949-bf11-c782745417233',
  '01a20141-33aa-7949-bf11-c7827454172g',
  '01a20141-33aa-7949-bf11-c7827454172é',
  '01a20141-33aa-7949-bf11-c7827454172☃',
  '01a20141033aa-7949-bf11-c78274541723',
  '01a2014133aa-7949-bf11-c78274541723-',
])('what is no UUID is refused: %j', (wrong) => {
  expect(() => uuids([randomUUID(), wrong])).toThrow(TypeError);
});
