import { Text } from '@mantine/core';
import type { MessageDetails } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Interactive, Press } from '../messages/content/interactive-parts.tsx';
import { ContactCards, FileOfUrl, Place } from '../messages/content/body-parts.tsx';
import { InboundFile } from '../messages/content/inbound-file.tsx';
import { asTemplate, inShort } from '../messages/content/message-text.ts';
import classes from './conversations.module.css';

/** What a message of a thread says. `quoted`: the message that it answers. */
export function BubbleBody({
  message,
  quoted,
}: {
  readonly message: MessageDetails;
  readonly quoted: MessageDetails | null;
}): ReactNode {
  const { body, messageId } = message;
  if ('template' in body) {
    const { text, template } = asTemplate(body);
    return text === undefined ? (
      <Text size="sm">{inShort(message)}</Text>
    ) : (
      <>
        <p className={classes.text}>{text}</p>
        <Text size="xs" c="dimmed" mt={4}>
          Template {template.name}
        </Text>
      </>
    );
  }
  if ('interactive' in body) return <Interactive body={body} channel={message.provider} />;
  if ('payload' in body) return <Press press={body} answered={quoted} />;
  if ('text' in body) return <p className={classes.text}>{body.text}</p>;
  if ('latitude' in body) return <Place place={body} />;
  if ('contacts' in body) return <ContactCards contacts={body.contacts} />;
  if ('url' in body) return <FileOfUrl file={body} />;
  if ('mimeType' in body) return <InboundFile messageId={messageId} file={body} />;
  return (
    <Text size="sm" fs="italic">
      {inShort(message)}
    </Text>
  );
}
