import { forPeople } from './output.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function open(isTerminal: boolean) {
  const lines: string[] = [];
  return { lines, output: forPeople({ print: (line) => lines.push(line), isTerminal }) };
}

test('on a terminal a step that takes long is never silent for 5 s, until everything is ready', () => {
  const { lines, output } = open(true);
  output.say('starting Postgres in .data');
  jest.advanceTimersByTime(9_000);
  output.say('applied 3 migrations');
  output.say('starting the api and the workers');
  jest.advanceTimersByTime(3_000);
  output.onLine('api', 'a line');
  jest.advanceTimersByTime(3_000);
  output.ready('http://127.0.0.1:3000');
  jest.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    'starting Postgres in .data',
    'still starting Postgres in .data (4 s)',
    'still starting Postgres in .data (8 s)',
    'applied 3 migrations',
    'starting the api and the workers',
    expect.stringContaining('a line'),
    'ready http://127.0.0.1:3000',
  ]);
});

test('without a terminal each step is one line, however long it takes', () => {
  const { lines, output } = open(false);
  output.say('starting Postgres in .data');
  jest.advanceTimersByTime(60_000);
  expect(lines).toEqual(['starting Postgres in .data']);
});
