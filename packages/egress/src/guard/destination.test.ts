import { rememberingJudge } from './destination.ts';
import { createGuard } from './guard.ts';

const long = 'x'.repeat(1_000);

test('each URL gets its own verdict, however often and after however many others it is judged', () => {
  const judge = rememberingJudge(createGuard({ allowPrivate: false, allow: [] }), true);
  const judgements = {
    'https://a.example/b': { origin: 'https://a.example', path: '/b' },
    'https://a.example/b?c=d#e': { origin: 'https://a.example', path: '/b?c=d' },
    'https://A.example:443': { origin: 'https://a.example', path: '/' },
    [`https://a.example/${long}`]: { origin: 'https://a.example', path: `/${long}` },
    'http://a.example/b': 'the URL must be https',
    'https://10.0.0.1/b': '10.0.0.1 is not a public address',
    'a.example': 'not a URL',
  };
  for (let round = 0; round < 3; round += 1) {
    for (const [url, judged] of Object.entries(judgements)) expect(judge(url)).toEqual(judged);
    for (let other = 0; other < 500; other += 1) judge(`https://${round}-${other}.example/`);
  }
});
