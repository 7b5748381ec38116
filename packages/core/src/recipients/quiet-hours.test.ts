import fc from 'fast-check';
import { endOfQuiet, isQuiet, isTimeZone, quietUntil } from './quiet-hours.ts';

const minute = 60_000;

/** The end of the quiet hours as ISO 8601 in UTC, without seconds. */
function endAt(from: string, to: string, timeZone: string, at: string): string | null {
  const end = quietUntil({ from, to, timeZone }, { channel: 'sms', to: '+4917012345678' }, Date.parse(at));
  return end === null ? null : new Date(end).toISOString().slice(0, 16);
}

test.each([
  // Plain nights.
  ['Europe/Berlin', '22:00', '08:00', '2026-01-15T20:59:59Z', null],
  ['Europe/Berlin', '22:00', '08:00', '2026-01-15T21:00:00Z', '2026-01-16T07:00'],
  ['Europe/Berlin', '22:00', '08:00', '2026-01-16T06:59:59Z', '2026-01-16T07:00'],
  ['Europe/Berlin', '22:00', '08:00', '2026-01-16T07:00:00Z', null],
  ['Europe/Berlin', '12:00', '14:00', '2026-07-15T10:30:59Z', '2026-07-15T12:00'],
  ['Asia/Kathmandu', '21:00', '07:00', '2026-06-01T15:20:00Z', '2026-06-02T01:15'],
  ['Pacific/Chatham', '22:00', '06:45', '2026-06-01T12:00:00Z', '2026-06-01T18:00'],
  ['UTC', '00:00', '00:01', '2026-06-01T00:00:30Z', '2026-06-01T00:01'],
  ['UTC', '00:01', '00:00', '2026-06-01T00:01:00Z', '2026-06-02T00:00'],
  // Spanning midnight, and a night with a change of the clocks in it.
  ['Europe/Berlin', '22:00', '08:00', '2026-03-28T22:00:00Z', '2026-03-29T06:00'],
  ['Europe/Berlin', '22:00', '08:00', '2026-10-24T22:00:00Z', '2026-10-25T07:00'],
  ['America/New_York', '21:00', '09:00', '2026-03-08T02:00:00Z', '2026-03-08T13:00'],
  ['Australia/Lord_Howe', '22:00', '08:00', '2026-10-03T12:00:00Z', '2026-10-03T21:00'],
  ['Australia/Lord_Howe', '22:00', '08:00', '2026-04-04T12:00:00Z', '2026-04-04T21:30'],
  ['Pacific/Auckland', '22:00', '07:00', '2026-09-26T11:00:00Z', '2026-09-26T18:00'],
  ['Europe/Dublin', '23:00', '07:00', '2026-10-25T00:30:00Z', '2026-10-25T07:00'],
  // An end that does not exist: the gap ends the quiet hours.
  ['Europe/Berlin', '22:00', '02:30', '2026-03-28T23:00:00Z', '2026-03-29T01:00'],
  ['America/New_York', '22:00', '02:01', '2026-03-08T06:59:59Z', '2026-03-08T07:00'],
  ['America/St_Johns', '20:00', '02:45', '2026-03-08T05:00:00Z', '2026-03-08T05:30'],
  ['Australia/Lord_Howe', '22:00', '02:10', '2026-10-03T15:29:00Z', '2026-10-03T15:30'],
  ['Pacific/Chatham', '22:00', '03:00', '2026-09-26T13:59:00Z', '2026-09-26T14:00'],
  // At midnight the clocks of Cairo and Santiago go to 01:00.
  ['Africa/Cairo', '20:00', '00:30', '2026-04-23T21:00:00Z', '2026-04-23T22:00'],
  ['America/Santiago', '20:00', '00:00', '2026-09-06T03:30:00Z', '2026-09-06T04:00'],
  // A beginning that does not exist: it is quiet as soon as the gap is over.
  ['Europe/Berlin', '02:30', '06:00', '2026-03-29T00:59:59Z', null],
  ['Europe/Berlin', '02:30', '06:00', '2026-03-29T01:00:00Z', '2026-03-29T04:00'],
  // Quiet hours within a gap do not come that day.
  ['Europe/Berlin', '02:15', '02:45', '2026-03-29T00:59:59Z', null],
  ['Europe/Berlin', '02:15', '02:45', '2026-03-29T01:00:00Z', null],
  ['America/Santiago', '00:00', '01:00', '2026-09-06T04:00:00Z', null],
  // An end within an overlap comes twice, and between the two it is quiet once more.
  ['Europe/Berlin', '22:00', '02:30', '2026-10-24T22:00:00Z', '2026-10-25T00:30'],
  ['Europe/Berlin', '22:00', '02:30', '2026-10-25T00:45:00Z', null],
  ['Europe/Berlin', '22:00', '02:30', '2026-10-25T01:10:00Z', '2026-10-25T01:30'],
  ['America/New_York', '23:00', '01:30', '2026-11-01T05:15:00Z', '2026-11-01T05:30'],
  ['Australia/Lord_Howe', '22:00', '01:45', '2026-04-04T15:02:00Z', '2026-04-04T15:15'],
  // A beginning within an overlap.
  ['Europe/Berlin', '02:30', '06:00', '2026-10-25T00:29:00Z', null],
  ['Europe/Berlin', '02:30', '06:00', '2026-10-25T00:40:00Z', '2026-10-25T01:00'],
  ['Europe/Berlin', '02:30', '06:00', '2026-10-25T01:30:00Z', '2026-10-25T05:00'],
  // At midnight the clocks of Cairo and Santiago go back to 23:00.
  ['Africa/Cairo', '23:30', '06:00', '2026-10-29T20:45:00Z', '2026-10-29T21:00'],
  ['America/Santiago', '23:00', '07:00', '2026-04-05T02:30:00Z', '2026-04-05T11:00'],
  // No change of the clocks any more, and one for Ramadan only.
  ['Asia/Tehran', '22:00', '08:00', '2026-03-21T19:00:00Z', '2026-03-22T04:30'],
  ['Africa/Casablanca', '22:00', '02:30', '2026-02-15T00:30:00Z', '2026-02-15T01:30'],
  ['Africa/Casablanca', '22:00', '02:30', '2026-03-22T00:30:00Z', '2026-03-22T02:00'],
])('in %s, from %s to %s, at %s: %s', (timeZone, from, to, at, end) => {
  expect(endAt(from, to, timeZone, at)).toBe(end);
});

const changing = [
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Pacific/Chatham',
  'Pacific/Auckland',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Easter',
] as const;

/** Days on which clocks of these zones change, in some year. */
const changes = [
  '2026-02-15',
  '2026-03-08',
  '2026-03-22',
  '2026-03-29',
  '2026-04-05',
  '2026-04-24',
  '2026-09-06',
  '2026-09-27',
  '2026-10-04',
  '2026-10-25',
  '2026-10-30',
  '2026-11-01',
].map((day) => Date.parse(day));

const someTime = fc.oneof(
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -36 * 3_600_000, max: 36 * 3_600_000 }))
    .map(([day, ms]) => day + ms),
  fc.double({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0), noNaN: true }),
);
const someHours = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 1_439 }))
  .map(([from, length]) => ({ from, to: (from + length) % 1_440 }));

/** The minute of the day by another way than that of the code under test. */
function wallMinute(timeZone: string, at: number): number {
  const text = new Date(at).toLocaleString('sv-SE', { timeZone });
  const [, hour, min] = / (\d\d):(\d\d):/.exec(text)!;
  return Number(hour) * 60 + Number(min);
}

test('the end is not quiet, the minute before it is, and it is not quiet at a time without an end', () => {
  fc.assert(
    fc.property(
      someHours,
      fc.uniqueArray(fc.constantFrom(...changing), { minLength: 1, maxLength: 3 }),
      someTime,
      (hours, zones, at) => {
        const { from, to } = hours;
        const quiet = (moment: number) =>
          zones.some((zone) => {
            const wall = wallMinute(zone, moment);
            return from < to ? wall >= from && wall < to : wall >= from || wall < to;
          });
        const end = endOfQuiet(hours, zones, at);
        expect(end !== null).toBe(quiet(at));
        if (end === null || end === Infinity) return;
        expect(end % minute).toBe(0);
        expect(end).toBeGreaterThan(at);
        expect(quiet(end)).toBe(false);
        expect(quiet(end - minute)).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the end is the first minute that is not quiet', () => {
  const ofChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -1_000, max: 1_000 }))
    .map(([day, minutes]) => day + minutes * minute);
  fc.assert(
    fc.property(someHours, fc.constantFrom(...changing), ofChange, (hours, zone, at) => {
      let first = at;
      while (isQuiet(hours, zone, first)) first += minute;
      expect(endOfQuiet(hours, [zone], at)).toBe(first === at ? null : first);
    }),
    { numRuns: 200 },
  );
});

const byRecipient = (fallback: string) => ({ recipient: true, fallback }) as const;
const night = { from: '22:00', to: '08:00' };

test('the zone of the recipient counts, the strictest of several', () => {
  const endFor = (to: string, at: string) => {
    const end = quietUntil(
      { ...night, timeZone: byRecipient('UTC') },
      { channel: 'sms', to },
      Date.parse(at),
    );
    return end === null ? null : new Date(end).toISOString().slice(0, 16);
  };
  expect(endFor('+4917012345678', '2026-01-15T22:00:00Z')).toBe('2026-01-16T07:00');
  expect(endFor('+819012345678', '2026-01-15T22:00:00Z')).toBe('2026-01-15T23:00');
  expect(endFor('+819012345678', '2026-01-16T00:00:00Z')).toBeNull();
  // Lisbon wakes an hour before the Azores, and goes to bed an hour before.
  expect(endFor('+351912345678', '2026-01-15T22:30:00Z')).toBe('2026-01-16T09:00');
  // New York alone; anywhere between Newfoundland and Hawaii.
  expect(endFor('+12125550123', '2026-01-15T03:00:00Z')).toBe('2026-01-15T13:00');
  expect(endFor('+18005550123', '2026-01-15T03:00:00Z')).toBe('2026-01-15T18:00');
  // No country: the fallback.
  expect(endFor('+88312345678', '2026-01-15T23:00:00Z')).toBe('2026-01-16T08:00');
});

test('an id of Telegram tells no country, however much it looks like a number', () => {
  const hours = { ...night, timeZone: byRecipient('Asia/Tokyo') };
  const at = Date.parse('2026-01-15T22:30:00Z');
  expect(quietUntil(hours, { channel: 'telegram', to: '491701234567' }, at)).toBe(
    Date.parse('2026-01-15T23:00:00Z'),
  );
  expect(quietUntil(hours, { channel: 'whatsapp', to: '491701234567' }, at)).toBe(
    Date.parse('2026-01-16T07:00:00Z'),
  );
});

test('where it is always quiet somewhere in the country, the fallback alone counts', () => {
  const hours = { from: '12:00', to: '08:00', timeZone: byRecipient('Europe/Moscow') };
  const at = Date.parse('2026-01-15T12:00:00Z');
  expect(quietUntil(hours, { channel: 'sms', to: '+79161234567' }, at)).toBe(
    Date.parse('2026-01-16T05:00:00Z'),
  );
  const free = Date.parse('2026-01-15T06:00:00Z');
  expect(quietUntil(hours, { channel: 'sms', to: '+79161234567' }, free)).toBeNull();
});

test.each([
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['Europe/Atlantis', false],
  ['+01:00', false],
  ['', false],
  ['CET ', false],
])('%j is a time zone: %j', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});
