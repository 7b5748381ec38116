import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CreatedApiKey } from '../../api/schema.ts';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { CodeSample, LanguageChoice } from '../first-steps/code-samples.tsx';
import { requests } from '../first-steps/commands.ts';
import type { Language } from '../first-steps/samples.ts';

/** A key that was just created, and how to use it. */
export function NewKey({
  created,
  onDone,
}: {
  readonly created: CreatedApiKey;
  readonly onDone: () => void;
}): ReactNode {
  const [language, setLanguage] = useState<Language>('curl');
  const { send } = requests({ origin: location.origin, key: created.key, token: null, account: null });
  return (
    <SecretDialog title={`API key “${created.name}”`} secret={created.key} what="key" onDone={onDone}>
      <Text size="sm">Send it in the X-Api-Key header. For example:</Text>
      <LanguageChoice language={language} onChange={setLanguage} />
      <CodeSample request={send} language={language} />
    </SecretDialog>
  );
}
