import type { TemplateBody } from '@notify/core';
import { Anchor, Text } from '@mantine/core';
import type { MessageHistory } from '@notify/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Section } from '../../../parts/section.tsx';
import { languageName } from '../../../parts/template/language-name.ts';
import { templatePath } from '../../channels/templates/template-path.ts';
import { ContactCards, Place } from './body-parts.tsx';
import { InboundFile } from './inbound-file.tsx';
import { Interactive } from './interactive-parts.tsx';
import { asTemplate, inShort, kindOf } from './message-text.ts';
import classes from '../messages.module.css';
import { PressFacts } from './press-facts.tsx';
import { parameterLines } from './template-parameters.ts';
import { Facts } from '../../../parts/facts.tsx';

/** What the message says: its text, its file, its template, buttons or list as the recipient sees them, or what else a person sent. */
export function Content({ message }: { readonly message: MessageHistory }): ReactNode {
  const { body } = message;
  if ('template' in body)
    return <TemplateContent body={asTemplate(body)} accountId={message.channelAccountId} />;
  if ('url' in body)
    return (
      <Section title={kindOf(message)} about={body.filename}>
        <Text size="sm" className={classes.content}>
          {body.url ?? `Uploaded file ${body.fileId ?? ''}`}
        </Text>
        {body.caption !== null && <p className={classes.content}>{body.caption}</p>}
      </Section>
    );
  return (
    <Section title={kindOf(message)}>
      <Other message={message} body={body} />
    </Section>
  );
}

/** A text, buttons or a list, and what only people send. */
function Other({
  message,
  body,
}: {
  readonly message: MessageHistory;
  readonly body: Exclude<MessageHistory['body'], { template: object } | { url: string | null }>;
}): ReactNode {
  if ('interactive' in body) return <Interactive body={body} channel={message.provider} />;
  if ('payload' in body) return <PressFacts press={body} replyTo={message.replyTo} />;
  if ('text' in body) return <p className={classes.content}>{body.text}</p>;
  if ('latitude' in body) return <Place place={body} />;
  if ('contacts' in body) return <ContactCards contacts={body.contacts} />;
  if ('mimeType' in body) return <InboundFile messageId={message.messageId} file={body} />;
  return <Text size="sm">{inShort(message)}</Text>;
}

function TemplateContent({
  body: { template, text },
  accountId,
}: {
  readonly body: TemplateBody;
  readonly accountId: string | null;
}): ReactNode {
  const { name, language, parameters = {} } = template;
  return (
    <Section title="Template" about={<Which name={name} language={language} accountId={accountId} />}>
      {text === undefined ? (
        <Text size="sm" c="dimmed">
          The template was not known when the message was accepted, so its text is not shown.
        </Text>
      ) : (
        <p className={classes.content}>{text}</p>
      )}
      <Parameters lines={parameterLines(parameters, text !== undefined)} />
    </Section>
  );
}

/** The name and language, with a link to the template while its account is there. */
function Which({
  name,
  language,
  accountId,
}: {
  readonly name: string;
  readonly language: string;
  readonly accountId: string | null;
}): ReactNode {
  return (
    <>
      {accountId === null ? (
        name
      ) : (
        <Anchor component={Link} to={templatePath(accountId, { name, language })} inherit underline="always">
          {name}
        </Anchor>
      )}
      {' · '}
      {languageName(language)}
    </>
  );
}

function Parameters({ lines }: { readonly lines: readonly (readonly [string, string])[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <div className={classes.parameters}>
      <Facts facts={lines} />
    </div>
  );
}
