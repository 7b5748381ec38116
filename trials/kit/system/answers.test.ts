import { answerOf, thrownAway } from './answers.ts';

const call = (fields: object): string =>
  JSON.stringify({
    pid: 7,
    messageId: 'm',
    attempt: 1,
    part: 0,
    outcome: 'accepted',
    msg: 'attempt',
    ...fields,
  });
const post = (fields: object): string =>
  JSON.stringify({
    pid: 7,
    deliveryId: 'd',
    eventId: 'e',
    attempt: 2,
    decision: 'delivered',
    msg: 'delivery attempt',
    ...fields,
  });
const nothing = { calls: new Set<string>(), acceptedLate: new Set<string>(), posts: new Set<string>() };

test('reads acceptances and delivered posts from the log, and nothing else', () => {
  expect(answerOf(call({}))).toEqual([{ pid: 7, kind: 'call', id: 'm', attempt: 1, part: 0, eventId: null }]);
  expect(answerOf(post({ packId: 'p' }))).toMatchObject([{ id: 'p', attempt: 2, eventId: 'e' }]);
  expect(answerOf(post({}))).toEqual([{ pid: 7, kind: 'post', id: 'd', attempt: 2, part: 0, eventId: 'e' }]);
  const others = [
    call({ outcome: 'unknown' }),
    post({ decision: 'retry' }),
    call({ msg: 'other' }),
    call({}).slice(9),
  ];
  expect(others.flatMap(answerOf)).toEqual([]);
});

test('an answer is thrown away when no row records it and its process could have stored it', () => {
  const logged = [...answerOf(call({})), ...answerOf(post({}))];
  expect(thrownAway(logged, nothing, new Set())).toEqual(logged);
  expect(thrownAway(logged, nothing, new Set([7]))).toEqual([]);
  expect(
    thrownAway(logged, { ...nothing, calls: new Set(['m 1 0']), posts: new Set(['d 2']) }, new Set()),
  ).toEqual([]);
  expect(thrownAway(logged, { ...nothing, acceptedLate: new Set(['m']) }, new Set())).toEqual([logged[1]]);
});
