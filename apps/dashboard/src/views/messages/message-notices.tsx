import { Alert, Anchor, Text } from '@mantine/core';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { InfoIcon, WarningIcon } from '../../parts/icons.tsx';
import { failureAdvice } from './failure-advice.ts';
import { carriesCode, lastRefusal } from './message-state.ts';

/** Above a message: why it failed and advice, whether it may have arrived twice, and its related messages. */
export function MessageNotices({ message }: { readonly message: MessageHistory }): ReactNode {
  const { status, error, errorCode, possibleDuplicate, resendOf, resentAs } = message;
  const refusal = errorCode === 'expired' ? lastRefusal(message) : null;
  return (
    <>
      {status === 'failed' && (
        <Alert color="red" icon={<WarningIcon />} title={`Failed: ${errorCode ?? 'no error code'}`}>
          {error !== null && <Text size="sm">{error}</Text>}
          {refusal !== null && (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {refusal}
            </Text>
          )}
          <Advice message={message} />
        </Alert>
      )}
      {possibleDuplicate && (
        <Alert color="orange" icon={<WarningIcon />} title="Possible duplicate">
          An attempt got no response, and the account is set to resend in that case. The message may have
          arrived twice.
        </Alert>
      )}
      {resendOf !== null && <Related id={resendOf}>This message is a resend of a failed one.</Related>}
      {resentAs !== null && <Related id={resentAs}>This message was resent.</Related>}
    </>
  );
}

/** A one-time code cannot be resent, so advice to do that is left out. */
function Advice({ message }: { readonly message: MessageHistory }): ReactNode {
  const advice = failureAdvice(message.errorCode);
  if (!carriesCode(message)) return <Text size="sm">{advice}</Text>;
  return (
    <>
      {!/resend/i.test(advice) && <Text size="sm">{advice}</Text>}
      <Text size="sm">A one-time code is never sent again. Start a new verification.</Text>
    </>
  );
}

function Related({ id, children }: { readonly id: string; readonly children: ReactNode }): ReactNode {
  return (
    <Alert color="gray" icon={<InfoIcon />}>
      {children}{' '}
      <Anchor component={Link} to={`/messages/${id}`} inherit>
        View message
      </Anchor>
    </Alert>
  );
}
