import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ChannelAccount, Conversation, MessageDetails, Provider } from '@notify/sdk';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigationType, useSearchParams } from 'react-router';
import { useRead } from '../../api/hooks.ts';
import { channelName } from '../../parts/channel-name.ts';
import { ArrowLeftIcon, ChannelIcon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useNow } from '../../parts/time/time.tsx';
import { Banners } from './banners.tsx';
import { Composer } from './composer/composer.tsx';
import { contactAddress, contactName } from './contact.ts';
import classes from './conversations.module.css';
import { openWindowText, type ReplyWindow, windowOf } from './reply-window.ts';
import { Thread } from './thread.tsx';
import { tellingLabel, useTelling } from './telling.ts';
import { isOf } from './use-conversations.ts';
import { useThread } from './use-thread.ts';

const everyMs = 15_000;

/** One conversation: its messages, and the form for a reply. */
export function ThreadPane({ id }: { readonly id: string }): ReactNode {
  const input = { path: { id } };
  const known = useRef<Conversation | null>(null);
  const conversation = useRead('get /v1/conversations/{id}', input, {
    everyMs,
    on: (event) => known.current !== null && isOf(event, known.current),
  });
  useEffect(() => {
    known.current = conversation.data ?? null;
  });
  const accounts = useRead('get /v1/channel-accounts');
  const providers = useRead('get /v1/providers');
  return (
    <Loaded query={conversation} what="the conversation" notFound="conversation" skeleton={<PaneSkeleton />}>
      {(found) => (
        <Loaded query={accounts} what="the conversation" skeleton={<PaneSkeleton />}>
          {(all) => (
            <Loaded query={providers} what="the conversation" skeleton={<PaneSkeleton />}>
              {(kinds) => {
                const account = all.find((one) => one.id === found.channelAccountId);
                const provider = kinds.find((one) => one.id === account?.provider);
                return <Open conversation={found} account={account} provider={provider} />;
              }}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function Open({
  conversation,
  account,
  provider,
}: {
  readonly conversation: Conversation;
  /** Undefined once it was removed. */
  readonly account: ChannelAccount | undefined;
  readonly provider: Provider | undefined;
}): ReactNode {
  const now = Math.max(useNow(), Date.now());
  const replyWindow = windowOf(conversation, provider?.capabilities.replyWindowMs ?? null, now);
  const thread = useThread(conversation);
  const [replyTo, setReplyTo] = useState<MessageDetails | null>(null);
  const [isChosen, tellContacts] = useTelling();
  const label = tellingLabel(provider);
  const tells = isChosen && label !== null;
  // Without a quote, a reply answers the last message of the contact.
  const topic = thread.items.find(({ direction }) => direction === 'inbound')?.threadId ?? null;
  return (
    <section className={classes.thread} aria-labelledby="contact">
      <Head conversation={conversation} account={account} replyWindow={replyWindow} />
      <Banners conversation={conversation} account={account} />
      <Thread
        conversation={conversation}
        thread={thread}
        tellSender={tells && provider?.capabilities.chatStates.includes('read') === true}
        onReply={account === undefined || conversation.optedOut ? null : setReplyTo}
      />
      {account === undefined ? (
        <Text size="sm" c="dimmed" p="md">
          The account of this conversation was removed, so you cannot reply.
        </Text>
      ) : (
        <Composer
          conversation={conversation}
          account={account}
          provider={provider}
          replyWindow={replyWindow}
          replyTo={replyTo}
          telling={label === null ? null : { label, isOn: isChosen, set: tellContacts }}
          topic={topic}
          onQuote={setReplyTo}
          onSent={thread.add}
        />
      )}
    </section>
  );
}

function Head({
  conversation,
  account,
  replyWindow,
}: {
  readonly conversation: Conversation;
  readonly account: ChannelAccount | undefined;
  readonly replyWindow: ReplyWindow;
}): ReactNode {
  const [search] = useSearchParams();
  const heading = useRef<HTMLHeadingElement>(null);
  const cameByLink = useNavigationType() === 'PUSH';
  useEffect(() => {
    if (cameByLink) heading.current?.focus({ preventScroll: true });
    // Once, when the conversation is opened.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const address = contactAddress(conversation);
  return (
    <header className={classes.head}>
      <Anchor
        component={Link}
        to={{ pathname: '/conversations', search: search.toString() }}
        className={classes.back}
        aria-label="All conversations"
      >
        <ArrowLeftIcon />
      </Anchor>
      <div className={classes.who}>
        <Title order={2} id="contact" ref={heading} tabIndex={-1} className={classes.name}>
          {contactName(conversation)}
        </Title>
        <Text size="xs" c="dimmed" component="p" m={0} className={classes.facts}>
          <ChannelIcon channel={conversation.channel} size={14} />
          <span>
            {[channelName(conversation.channel), ...(address === null ? [] : [address])].join(' · ')}
          </span>
          {account !== undefined && (
            <Anchor component={Link} to={`/channels/${account.id}`} inherit underline="always">
              {account.name}
            </Anchor>
          )}
        </Text>
      </div>
      {replyWindow.kind === 'open' && (
        <Text size="xs" className={classes.window} role="timer" aria-live="off">
          {openWindowText(replyWindow.leftMs)}
        </Text>
      )}
    </header>
  );
}

function PaneSkeleton(): ReactNode {
  return (
    <Stack p="md">
      <Skeleton height={40} width="50%" />
      <Skeleton height={60} width="70%" />
      <Skeleton height={60} width="70%" ml="auto" />
      <Skeleton height={60} width="60%" />
    </Stack>
  );
}
