import { Anchor, List, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useRead } from '../../../api/hooks.ts';
import { Dialog } from '../../../parts/dialog/dialog.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Time } from '../../../parts/time/time.tsx';
import { consentTones, sourceText } from './consent-words.ts';
import classes from './consent.module.css';

/** Every change of a recipient's consent, newest first. Mounted only while it is open. */
export function ConsentHistory({
  accountId,
  recipient,
  onClose,
}: {
  readonly accountId: string;
  readonly recipient: string;
  readonly onClose: () => void;
}): ReactNode {
  const consent = useRead('get /v1/consent/{channelAccountId}/{recipient}', {
    path: { channelAccountId: accountId, recipient },
  });
  return (
    <Dialog onClose={onClose} title={`History of ${recipient}`}>
      <Loaded query={consent} what="the history" skeleton={<Skeleton height={120} />}>
        {({ history }) => (
          <List size="sm" spacing="sm" listStyleType="none" aria-label="Changes">
            {history.map(({ status, source, changedAt, messageId, note }, index) => (
              // A change has no name of its own.
              <List.Item key={index}>
                <Text size="sm">
                  <strong>{consentTones[status][1]}</strong> · {sourceText({ status, source })}
                </Text>
                {note !== null && (
                  <Text size="sm" className={classes.note}>
                    {note}
                  </Text>
                )}
                <Text size="xs" c="dimmed" component="div">
                  <Time at={changedAt} />
                  {messageId !== null && (
                    <>
                      {' · '}
                      <Anchor component={Link} to={`/messages/${messageId}`} inherit underline="always">
                        View message
                      </Anchor>
                    </>
                  )}
                </Text>
              </List.Item>
            ))}
          </List>
        )}
      </Loaded>
    </Dialog>
  );
}
