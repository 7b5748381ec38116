import { shortCourse } from './endurance/courses.ts';
import { endure, type Endurance } from './endurance/endure.ts';

describe('notifyctl listen, for a minute of faults', () => {
  let found: Endurance;
  const log: string[] = [];
  beforeAll(async () => {
    found = await endure(shortCourse, (line) => log.push(line));
  }, 420_000);

  test('forwards every event, in the order of its message', () => {
    expect(found).toMatchObject({ missing: [], outOfOrder: [], unknown: [], unverified: [] });
    expect(found.taken).toBe(found.events);
    expect(found.messages).toBe(found.sent);
    expect(found.sent).toBeGreaterThan(50);
  });

  test('loses the connection and says so, and never ends by itself', () => {
    expect(found.said['connection lost']).toBeGreaterThan(0);
    expect(found.said['connection resumed']).toBeGreaterThan(0);
    expect(found.endings.at(-1)).toBe(130);
    expect(found.endings.filter((ending) => !['SIGKILL', 'SIGINT', 130].includes(ending))).toEqual([]);
  });
});
