import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';

/** What `shown.ts` makes of an expression, in a time zone of its own: that of a process is fixed when it has begun. */
function inZone(zone: string, expression: string): unknown {
  const module = path.resolve(import.meta.dirname, 'shown.ts');
  const program = `import { localTime, periodText, shortTime, shortZone } from ${JSON.stringify(module)};
    console.log(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '--eval', program];
  const env = { ...process.env, TZ: zone, NODE_OPTIONS: '' };
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
}

it('shows times in the local time zone, and says how far that is from UTC', () => {
  const times = `['2026-01-31T08:05:07Z', '2026-07-31T08:05:07Z'].map((at) => localTime(at))`;
  expect(inZone('Europe/Vienna', times)).toEqual(['2026-01-31 09:05:07+01:00', '2026-07-31 10:05:07+02:00']);
  expect(inZone('UTC', times)).toEqual(['2026-01-31 08:05:07Z', '2026-07-31 08:05:07Z']);
  expect(inZone('America/St_Johns', `localTime('2026-01-31T08:05:07Z')`)).toBe('2026-01-31 04:35:07-03:30');
});

it('shortens a time as far as it is told from now, and names only a zone that is not that of now', () => {
  const short = (at: string) => `shortTime('${at}', new Date('2026-08-31T12:00:00Z'))`;
  const all = `[${short('2026-08-31T08:05:07Z')}, ${short('2026-08-30T08:05:07Z')}, ${short('2026-01-30T08:05:07Z')},
    ${short('2025-12-31T08:05:07Z')}, shortTime(null), shortZone(new Date('2026-08-31T12:00:00Z'))]`;
  expect(inZone('Europe/Vienna', all)).toEqual([
    '10:05:07',
    '08-30 10:05',
    '01-30 09:05+01:00',
    '2025-12-31',
    null,
    '+02',
  ]);
  expect(inZone('UTC', 'shortZone()')).toBe('UTC');
});

it('ends the period of figures now, where their last hour is not over', () => {
  const period = `{ from: '2026-01-31T06:00:00Z', until: '2026-01-31T07:00:00Z' }`;
  expect(inZone('UTC', `periodText(${period}, new Date('2026-01-31T06:53:12Z'))`)).toBe(
    '2026-01-31 06:00:00Z to 2026-01-31 06:53:12Z (now)',
  );
  expect(inZone('UTC', `periodText(${period}, new Date('2026-01-31T07:00:00Z'))`)).toBe(
    '2026-01-31 06:00:00Z to 2026-01-31 07:00:00Z',
  );
});
