import { Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { appearanceOf, textAppearance } from '../../../parts/interactive/appearance.ts';
import { InteractiveBody } from '../../../parts/interactive/interactive-body.tsx';
import { asInteractive, pressedTitle } from './message-text.ts';
import classes from './body-parts.module.css';

type Body = MessageDetails['body'];

/** Buttons or a list that we sent, as the recipient sees them: with numbers where the account has no buttons. */
export function Interactive({
  body,
  channel,
}: {
  readonly body: Extract<Body, { interactive: object }>;
  readonly channel: string;
}): ReactNode {
  const { text } = body;
  const appearance = text === undefined ? appearanceOf(asInteractive(body), channel) : textAppearance(text);
  return (
    <>
      <InteractiveBody appearance={appearance} isMarked={channel === 'whatsapp'} />
      {text !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          Sent as a text: the account has no buttons
        </Text>
      )}
    </>
  );
}

/** What a person pressed. `answered`: the message that it belongs to, if it is known. */
export function Press({
  press,
  answered,
}: {
  readonly press: Extract<Body, { payload: string | null }>;
  readonly answered: Pick<MessageDetails, 'body'> | null;
}): ReactNode {
  const title = pressedTitle(press, answered);
  return (
    <>
      <p className={classes.pressed}>{title}</p>
      <Text size="xs" c="dimmed">
        {title === press.text ? 'Pressed' : `Answered with “${press.text}”`}
      </Text>
    </>
  );
}
