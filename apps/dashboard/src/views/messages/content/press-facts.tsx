import { Anchor } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { Facts } from '../../../parts/facts.tsx';
import { inShort, pressedTitle } from './message-text.ts';

/** What a person pressed, and the message that the button belongs to, if it is known. */
export function PressFacts({
  press,
  replyTo,
}: {
  readonly press: Extract<MessageDetails['body'], { payload: string | null }>;
  readonly replyTo: string | null;
}): ReactNode {
  const { data: answered } = useRead(
    'get /v1/messages/{id}',
    { path: { id: replyTo ?? '' } },
    { enabled: replyTo !== null },
  );
  const title = pressedTitle(press, answered ?? null);
  return (
    <Facts
      facts={[
        ['Button', title],
        ...(title === press.text ? [] : [['Answered with', press.text] as const]),
        ...(press.payload === null ? [] : [['Payload', press.payload] as const]),
        ...(replyTo === null || answered === undefined
          ? []
          : [
              [
                'Answers',
                <Anchor key="answers" component={Link} to={`/messages/${replyTo}`} inherit>
                  {inShort(answered)}
                </Anchor>,
              ] as const,
            ]),
      ]}
    />
  );
}
