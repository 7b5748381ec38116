import type { Response } from 'supertest';
import { problem } from './problem.ts';

/** Of calls that race for the last place under a limit one gets it, and the others are told of the limit. */
export async function expectOneIsMade(calls: readonly Promise<Response>[]): Promise<void> {
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers)
    if (answer.status !== 201) expect(answer).toMatchObject(problem('limit-reached'));
}
