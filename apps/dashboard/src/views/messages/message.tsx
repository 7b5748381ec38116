import { Skeleton, Stack } from '@mantine/core';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import type { LiveEvent } from '../../live/live-event.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Page } from '../../shell/page.tsx';
import { GroupStory } from './group/group-story.tsx';
import { Content } from './content/message-content.tsx';
import { MessageActions } from './message-actions.tsx';
import { MessageFacts } from './message-facts.tsx';
import { MessageNotices } from './message-notices.tsx';
import classes from './messages.module.css';
import { Timeline } from './timeline/timeline.tsx';

const everyMs = 2_000;
/** Refreshes rarely once a message has ended: webhooks may be retried for days, and `read` may come at any time. */
const restingMs = 15_000;

/** One message: its content, its history and its actions. */
export function MessageView(): ReactNode {
  const { id = '' } = useParams();
  const input = { path: { id } };
  const message = useRead('get /v1/messages/{id}', input, {
    everyMs: (found) => (found?.status === 'delivered' || found?.status === 'failed' ? restingMs : everyMs),
    on: (event) => isIt(event, id),
    // What it waits for changes without an event, such as when its account's quiet hours begin.
    untold: (found) => found !== undefined && found.standing !== null,
  });
  return (
    <Loaded query={message} what="the message" notFound="message" skeleton={<PageSkeleton />}>
      {(found) => <MessagePage message={found} />}
    </Loaded>
  );
}

/** The id in the address may lack its prefix. */
function isIt({ messageId }: LiveEvent, id: string): boolean {
  return messageId !== null && messageId.endsWith(id.replace(/^msg_/, ''));
}

function MessagePage({ message }: { readonly message: MessageHistory }): ReactNode {
  const { messageId, direction, from, to, timeline, scheduledAt } = message;
  const back = <BackLink to="/messages">messages</BackLink>;
  return (
    <Page
      title={direction === 'inbound' ? `From ${from ?? 'an unknown sender'}` : `To ${to}`}
      back={back}
      actions={<MessageActions message={message} />}
    >
      <Stack gap="lg">
        <MessageNotices message={message} />
        {message.groupId !== null && <GroupStory id={message.groupId} messageId={messageId} />}
        <div className={classes.columns}>
          <Section title="Timeline">
            <Timeline entries={timeline} scheduledAt={scheduledAt} />
          </Section>
          <Stack gap="lg">
            <Content message={message} />
            <Section title="Details">
              <MessageFacts message={message} />
            </Section>
          </Stack>
        </div>
        <Raw message={message} key={messageId} />
      </Stack>
    </Page>
  );
}

/** The api's answer, for developers. */
function Raw({ message }: { readonly message: MessageHistory }): ReactNode {
  const json = JSON.stringify(message, null, 2);
  return (
    <Section
      title="Raw JSON"
      about={`GET /v1/messages/${message.messageId}`}
      actions={<CopyButton text={json} label="Copy the JSON" />}
    >
      <details>
        <summary>Show</summary>
        <pre className={classes.raw} tabIndex={0} aria-label="The message as JSON">
          {json}
        </pre>
      </details>
    </Section>
  );
}

function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton height={36} width={220} />
      <div className={classes.columns}>
        <Skeleton height={380} radius="lg" />
        <Skeleton height={380} radius="lg" />
      </div>
    </Stack>
  );
}
