import { Text } from '@mantine/core';
import type { CreatedApiKey } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../api/hooks.ts';
import { CodeLine } from '../../parts/copy/code-line.tsx';
import { SecretDialog } from '../../parts/dialog/secret-dialog.tsx';
import { CodeSample, LanguageChoice } from '../first-steps/code-samples.tsx';
import { requests } from '../first-steps/commands.ts';
import type { Language } from '../first-steps/samples.ts';
import { readingCommand } from './reading-command.ts';

/** A key that was just created, and how to use it. */
export function NewKey({
  created,
  onDone,
}: {
  readonly created: CreatedApiKey;
  readonly onDone: () => void;
}): ReactNode {
  return (
    <SecretDialog title={`API key “${created.name}”`} secret={created.key} what="key" onDone={onDone}>
      <Text size="sm">Send it in the X-Api-Key header. For example:</Text>
      {created.scopes.includes('send') ? (
        <SendSample created={created} />
      ) : (
        <CodeLine code={readingCommand(location.origin, created)} />
      )}
    </SecretDialog>
  );
}

/** A send by an account that the key may use. */
function SendSample({ created: { key, channelAccountIds } }: { readonly created: CreatedApiKey }): ReactNode {
  const [language, setLanguage] = useState<Language>('curl');
  const { data: accounts = [] } = useRead('get /v1/channel-accounts');
  const account = accounts.find(({ id }) => channelAccountIds?.includes(id));
  const { send } = requests({ origin: location.origin, key, token: null, account: account ?? null });
  return (
    <>
      <LanguageChoice language={language} onChange={setLanguage} />
      <CodeSample request={send} language={language} />
    </>
  );
}
