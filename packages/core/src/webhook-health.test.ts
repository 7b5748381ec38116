import {
  afterAttempt,
  afterDisable,
  afterEnable,
  afterNewUrl,
  isFailing,
  longestFailingMs,
  type WebhookAttempt,
  type WebhookHealth,
} from './webhook-health.ts';

const healthy: WebhookHealth = {
  isActive: true,
  disabledReason: null,
  generation: 1,
  failureCount: 0,
  failingSinceMs: null,
  probes: 0,
  pausedUntilMs: null,
  atOnce: 8,
  lane: 'fast',
};

interface Step extends Partial<WebhookAttempt> {
  readonly atMs?: number;
}

function attempt({ atMs = 0, ...changes }: Step): [WebhookAttempt, number] {
  return [
    {
      generation: 1,
      result: 'failure',
      probe: false,
      beganAtMs: atMs - 10,
      durationMs: 10,
      retryAfterMs: 0,
      ...changes,
    },
    atMs,
  ];
}

const after = (health: WebhookHealth, ...steps: Step[]): WebhookHealth =>
  steps.reduce((now, step) => afterAttempt(now, ...attempt(step), () => 0), health);
const failures = (count: number): Step[] => Array.from({ length: count }, (_, index) => ({ atMs: index }));
const success: Step = { result: 'success' };

test('one failure leaves one post at a time in the slow lane, without a pause', () => {
  expect(after(healthy, { atMs: 1_000 })).toEqual({
    ...healthy,
    failureCount: 1,
    failingSinceMs: 990,
    atOnce: 1,
    lane: 'slow',
  });
});

test('the fifth failure in a row makes the webhook a failing one, and it pauses', () => {
  const four = after(healthy, ...failures(4));
  expect([isFailing(four), four.pausedUntilMs]).toEqual([false, null]);
  const five = after(four, { atMs: 1_000 });
  expect([isFailing(five), five.pausedUntilMs]).toEqual([true, 6_000]);
  expect(isFailing(after(healthy, ...failures(4), success, ...failures(4)))).toBe(false);
});

test('probes wait as long as a delivery would, and continue at the longest wait', () => {
  let health = after(healthy, ...failures(5));
  const waits = Array.from({ length: 11 }, () => {
    const atMs = health.pausedUntilMs!;
    health = after(health, { probe: true, atMs });
    return (health.pausedUntilMs! - atMs) / 1_000;
  });
  expect(waits).toEqual([30, 120, 600, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000, 36_000, 36_000]);
});

test('a probe waits as long as the receiver wishes, up to an hour', () => {
  const failing = after(healthy, ...failures(5));
  const wished = (retryAfterMs: number) => after(failing, { probe: true, retryAfterMs }).pausedUntilMs;
  expect([wished(1_000), wished(60_000), wished(10 ** 12)]).toEqual([30_000, 60_000, 3_600_000]);
});

test('attempts in flight when it became failing lengthen no wait', () => {
  const failing = after(healthy, ...failures(5));
  expect(after(failing, ...failures(3))).toEqual({ ...failing, failureCount: 8 });
});

test('successes raise the posts in flight: 1, 2, 4, at most 8', () => {
  let health = after(healthy, ...failures(6));
  const ramp = Array.from({ length: 5 }, () => (health = after(health, { ...success, probe: true })).atOnce);
  expect(ramp).toEqual([2, 4, 8, 8, 8]);
  expect(health).toEqual(healthy);
});

test('slow answers put it into the slow lane, a quick one takes it out', () => {
  const slow = after(healthy, { ...success, durationMs: 2_000 });
  expect(slow).toEqual({ ...healthy, lane: 'slow' });
  expect(after(slow, { ...success, durationMs: 1_999 }).lane).toBe('fast');
});

test('410 disables it at once, and later attempts do not count', () => {
  const gone = after(healthy, { result: 'gone' });
  expect(gone).toMatchObject({
    isActive: false,
    disabledReason: 'The endpoint responded with 410 Gone.',
    generation: 2,
  });
  expect(after(gone, success, ...failures(9))).toEqual(gone);
});

test('a failure 5 days after the first one in a row disables it; silence never does', () => {
  const failing = after(healthy, ...failures(5));
  const probe = (atMs: number) => after(failing, { probe: true, atMs });
  expect(probe(longestFailingMs - 11).isActive).toBe(true);
  expect(probe(longestFailingMs)).toMatchObject({
    isActive: false,
    disabledReason: 'The endpoint has been failing for 5 days.',
  });
  // Two failures with a week of silence between do not count as a row of five.
  expect(after(healthy, { atMs: 0 }, { atMs: 7 * 86_400_000 }).isActive).toBe(true);
});

test('an attempt of an earlier generation changes nothing', () => {
  for (const result of ['success', 'failure', 'gone'] as const)
    expect(after({ ...healthy, generation: 2 }, { result, generation: 1 }).generation).toBe(2);
  expect(after({ ...healthy, generation: 2 }, ...failures(9))).toEqual({ ...healthy, generation: 2 });
});

test('enabling it or a new URL resets its failures and starts with one post; disabling keeps the count', () => {
  const failing = after(healthy, ...failures(7));
  const fresh = { ...healthy, generation: 2, atOnce: 1 };
  expect(afterNewUrl(failing)).toEqual(fresh);
  expect(afterDisable(failing)).toEqual({ ...failing, isActive: false, generation: 2 });
  expect(afterEnable(afterDisable(failing))).toEqual({ ...fresh, generation: 3 });
  const gone = after(healthy, { result: 'gone' });
  expect(afterNewUrl(gone)).toMatchObject({ isActive: false, disabledReason: gone.disabledReason });
  expect(afterEnable(gone)).toEqual({ ...fresh, generation: 3 });
});
