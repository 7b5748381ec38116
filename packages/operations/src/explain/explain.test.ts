import type { DeliveryFacts } from '@notify/db/explanations';
import { deliveryCases, messageCases } from '../../test/explained-cases.ts';
import {
  at,
  type Changes,
  delivery,
  factsWith,
  failing,
  id,
  lease,
  now,
  worker,
} from '../../test/explained-facts.ts';
import { explain } from './explain.ts';
import { standingOf, standingOfDelivery } from './standing.ts';
import { wordsOf } from './words.ts';

test.each(messageCases)('a message %s', (_, changes, codes, words) => {
  const { reasons } = explain(factsWith(changes));
  expect(reasons.map(({ code }) => code).join(' ')).toBe(codes);
  expect(
    reasons.map(({ text, detail }) => (detail === null ? text : `${text} ${detail}`)).join('\n'),
  ).toMatch(words);
});

test.each(deliveryCases)('a delivery %s', (_, changes, code, words) => {
  const reason = explain(factsWith({ deliveries: [delivery(changes)] })).deliveries.get(id)!;
  expect(reason.code).toBe(code);
  expect(`${reason.text} ${reason.detail ?? ''}`).toMatch(words);
});

test('a delivery that waits while all sends are held says so, and one in work does not', () => {
  const codeOf = (one: DeliveryFacts): string =>
    explain(factsWith({ sendsHeldSince: at(-600), deliveries: [one] })).deliveries.get(id)!.code;
  expect(codeOf(delivery({}))).toBe('posts-held');
  expect(codeOf(delivery({ waiting: { lease: lease(-1) } }))).toBe('posts-held');
  expect(codeOf(delivery({ waiting: { lease: lease(8) } }))).toBe('posting');
});

test('the tenant learns of no process, host or other figure of the installation', () => {
  const processes = [worker('dispatch-worker', 60), worker('webhook-worker', 60)];
  const open = [delivery({ waiting: { lease: lease(8) } }), delivery({ waiting: { dueAt: at(-40) } })];
  const all = [
    ...messageCases.map(([, changes]) =>
      factsWith({ ...changes, processes: changes.processes ?? processes }),
    ),
    ...open.map((one) => factsWith({ deliveries: [one], processes })),
  ];
  const told = all.flatMap((facts) => {
    const explanation = explain(facts);
    return [standingOf(facts, explanation), standingOfDelivery(facts, explanation, id)];
  });
  expect(told.filter((one) => one !== null).length).toBeGreaterThan(30);
  expect(JSON.stringify(told)).not.toMatch(
    /mars|42|dispatch-worker|webhook-worker|whatsapp-sessions|lease of|holder/,
  );
});

test('messages at their end, and received ones, have no standing', () => {
  const ends = [{ status: 'delivered' }, { status: 'failed' }, { received_at: now }] as const;
  for (const message of ends) {
    const facts = factsWith({ message, due: null });
    expect(standingOf(facts, explain(facts))).toBeNull();
  }
});

test('no reason repeats what a provider said of a recipient or a text', () => {
  const said = 'Cannot send "Your code is 4711" to +1 (555) 000-1000';
  const tellers: readonly Changes[] = [
    {
      message: { status: 'failed', error: said },
      attempts: [{ outcome: 'rejected', text: said }],
      due: null,
    },
    { message: { status: 'sent' }, attempts: [{ outcome: 'accepted', text: said }], due: null },
    { due: { dueAt: at(12), attempts: 1 }, attempts: [{ outcome: 'retry', text: said }] },
    { due: { dueAt: at(12) }, attempts: [{ outcome: 'throttled', text: said }] },
  ];
  for (const changes of tellers)
    expect(JSON.stringify(explain(factsWith(changes)).reasons)).not.toMatch(/4711|555/);
  for (const account of [{ pausedUntil: at(12) }, { held: true, status: 'action-required' as const }])
    expect(
      JSON.stringify(explain(factsWith({ account: { ...account, pauseReason: said } })).reasons),
    ).not.toMatch(/555/);
});

test('the words for the operator name no recipient, and carry nothing that drives a terminal', () => {
  const facts = factsWith({
    account: { name: 'Ma\u001b[31min', pausedUntil: at(12), pauseReason: 'Slow\u0007 down' },
    deliveries: [delivery({ webhook: { ...failing, pausedUntil: at(30) } })],
  });
  const text = wordsOf(facts, explain(facts));
  expect(text).not.toMatch(/5550001000/);
  // oxlint-disable-next-line no-control-regex
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  expect(text.split('\n').every((line) => line.length <= 100)).toBe(true);
});

test('a message with a one-time code is named as one', () => {
  const words = (text: string): string => {
    const facts = factsWith({ message: { body: { text } } });
    return wordsOf(facts, explain(facts));
  };
  expect(words('•••••• is your verification code.')).toContain('text with a one-time code of');
  expect(words('Hello')).not.toContain('one-time code');
});

test('what holds up a webhook is told once for all its deliveries', () => {
  const open = ['message.queued', 'message.sent'].map((event, ahead) => {
    const one = delivery({ webhook: { ...failing, pausedUntil: at(30) }, waiting: { ahead } });
    return { ...one, delivery: { ...one.delivery, id: `${id}${ahead}`, event } } as DeliveryFacts;
  });
  const facts = factsWith({ deliveries: open });
  const text = wordsOf(facts, explain(facts)).replaceAll(/\s+/g, ' ');
  expect(text.match(/has failed 6 times/g)).toHaveLength(1);
  expect(text).toContain(`message.queued, message.sent to wh_${id}: The webhook has failed`);
});
