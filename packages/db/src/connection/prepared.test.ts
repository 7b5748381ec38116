import { createStatementNames, type StatementNames } from './prepared.ts';

/** Runs the statement as often as it takes until it is prepared. */
function often(names: StatementNames, text: string): string | null {
  for (let time = 1; time < 5; time += 1) expect(names.nameOf(text)).toBeNull();
  return names.nameOf(text);
}

const hot = 'with senders as (select $1::uuid) insert into messages select $2';
const variant = (index: number) => `select a from lists where id = $1 and ${index} = $2`;

test('a text gets its name at the fifth time, always the same', () => {
  const names = createStatementNames();
  const name = often(names, hot);
  expect(name).toMatch(/^[\w-]{22}$/);
  expect(names.nameOf(hot)).toBe(name);
  expect(often(createStatementNames(), hot)).toBe(name);
});

test('texts that come once take no name from one that comes often', () => {
  const names = createStatementNames();
  for (let index = 0; index < 1_000; index += 1) names.nameOf(variant(index));
  expect(often(names, hot)).not.toBeNull();
});

test('a statement with very many variants leaves names to the others', () => {
  const names = createStatementNames();
  const given = Array.from({ length: 300 }, (_, index) => often(names, variant(index)));
  expect(given.filter((name) => name !== null)).toHaveLength(150);
  expect(often(names, hot)).not.toBeNull();
});

test('no more than 200 texts are named, however they begin', () => {
  const names = createStatementNames();
  const given = Array.from({ length: 300 }, (_, index) =>
    often(names, `select ${index} from lists where id = $1`),
  );
  expect(given.filter((name) => name !== null)).toHaveLength(200);
});

test('a text that follows its table, or is very long, is never named', () => {
  const names = createStatementNames();
  for (const text of ['select * from tenants where id = $1', `select $1 -- ${'x'.repeat(20_000)}`])
    expect(often(names, text)).toBeNull();
});
