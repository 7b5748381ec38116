import {
  createDeadlines,
  createPermits,
  takeTurn,
  type Permits,
  type TurnContext,
  type TurnWork,
} from '@notify/turns';

/** The context of a turn that a test takes without a queue. */
export interface TurnSurroundings extends Partial<Omit<TurnContext, 'id' | 'settleLater'>> {
  readonly permits?: Permits;
}

/** Takes one turn without a queue, and waits until all of it is settled. */
export async function takeWholeTurn<Claim>(
  id: string,
  work: TurnWork<Claim>,
  surroundings: TurnSurroundings = {},
): Promise<void> {
  const { permits = createPermits(64), ...others } = surroundings;
  const settlements: Promise<unknown>[] = [];
  await takeTurn(work, permits, {
    id,
    stopping: new AbortController().signal,
    deadlines: createDeadlines(),
    othersWait: () => false,
    settleLater: (settled) => settlements.push(settled),
    ...others,
  });
  await Promise.all(settlements);
}
