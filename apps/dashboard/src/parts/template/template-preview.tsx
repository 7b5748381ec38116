import type { Template, TemplateButton, TemplateParameters, TemplateText } from '@notify/core';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  CopyIcon,
  DocsIcon,
  ExternalIcon,
  type IconProps,
  ImageIcon,
  LocationIcon,
  ReplyIcon,
  VideoIcon,
} from '../icons.tsx';
import { ButtonLabel } from '../phone/button-label.tsx';
import { Phone } from '../phone/phone.tsx';
import { bodyValues, codeOf, fillAddress, fillHeader, type FilledHeader } from './filled-parts.ts';
import { fillText, type Piece, type ValueOf } from './filled-text.ts';
import { MarkedText } from './marked-text.tsx';
import classes from './template-preview.module.css';

type Drawn = Pick<Template, 'header' | 'body' | 'footer' | 'buttons'>;

/**
 * A template as it looks on the recipient's phone: with the given parameters, and with samples where none are given.
 * Files are drawn as boxes, because nothing is loaded from other hosts.
 */
export function TemplatePreview({
  template,
  parameters = {},
  channel,
}: {
  readonly template: Drawn;
  /** May have empty texts: they count as not given. */
  readonly parameters?: TemplateParameters;
  /** On `whatsapp` marks such as `*bold*` are drawn. */
  readonly channel: string;
}): ReactNode {
  const { header, body, footer, buttons } = template;
  const filled = header === null ? null : fillHeader(header, parameters);
  const isMarked = channel === 'whatsapp';
  return (
    <Phone label="Preview">
      {header !== null && filled !== null && (
        <Header filled={filled} text={header.kind === 'text' ? header : null} />
      )}
      <p className={classes.body}>
        <Words text={body} valueOf={bodyValues(parameters)} isMarked={isMarked} />
      </p>
      {footer !== null && <p className={classes.footer}>{footer}</p>}
      {buttons.length > 0 && (
        <ul className={classes.buttons} aria-label="Buttons">
          {buttons.map((button, index) => (
            // Buttons are told apart by their place only.
            <li key={index} className={classes.button}>
              <Button button={button} index={index} body={body} parameters={parameters} />
            </li>
          ))}
        </ul>
      )}
    </Phone>
  );
}

/** Below a preview whose values are not all entered. */
export function SampleNote(): ReactNode {
  return (
    <Text size="xs" c="dimmed" mt={6}>
      Highlighted values are samples.
    </Text>
  );
}

const media = {
  image: { Icon: ImageIcon, word: 'Image' },
  video: { Icon: VideoIcon, word: 'Video' },
  document: { Icon: DocsIcon, word: 'Document' },
} as const;

function Header({
  filled,
  text,
}: {
  readonly filled: FilledHeader;
  readonly text: TemplateText | null;
}): ReactNode {
  if (filled.kind === 'text')
    return (
      <p className={classes.title}>
        {text !== null && <Words text={text} valueOf={filled.valueOf} isMarked={false} />}
      </p>
    );
  if (filled.kind === 'location')
    return (
      <File Icon={LocationIcon} name={filled.name ?? 'Location'}>
        {filled.address}
      </File>
    );
  const { Icon, word } = media[filled.kind];
  return (
    <File Icon={Icon} name={word}>
      {filled.name}
    </File>
  );
}

function File({
  Icon,
  name,
  children,
}: {
  readonly Icon: (props: IconProps) => ReactNode;
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className={classes.file}>
      <Icon size={22} />
      <span>{name}</span>
      {children !== null && <span className={classes.fileName}>{children}</span>}
    </div>
  );
}

function Words({
  text,
  valueOf,
  isMarked,
}: {
  readonly text: TemplateText;
  readonly valueOf: ValueOf;
  readonly isMarked: boolean;
}): ReactNode {
  return (
    <MarkedText
      text={text.text}
      isMarked={isMarked}
      draw={(run) => <Pieces pieces={fillText({ ...text, text: run }, valueOf)} />}
    />
  );
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): ReactNode {
  return pieces.map(({ text, from }, place) => (
    <span key={place} {...(from === 'sample' || from === 'open' ? { className: classes[from] } : {})}>
      {text}
    </span>
  ));
}

function Button({
  button,
  index,
  body,
  parameters,
}: {
  readonly button: TemplateButton;
  readonly index: number;
  readonly body: TemplateText;
  readonly parameters: TemplateParameters;
}): ReactNode {
  switch (button.kind) {
    case 'quick-reply':
      return <ButtonLabel Icon={ReplyIcon}>{button.text}</ButtonLabel>;
    case 'url':
      return (
        <>
          <ButtonLabel Icon={ExternalIcon}>{button.text}</ButtonLabel>
          <span className={classes.address}>
            <Pieces pieces={fillAddress(button, index, { body }, parameters)} />
          </span>
        </>
      );
    case 'copy-code': {
      const code = codeOf(button.example, index, parameters);
      return (
        <>
          <ButtonLabel Icon={CopyIcon}>{button.text}</ButtonLabel>
          {code !== null && <span className={classes.address}>{code}</span>}
        </>
      );
    }
    case 'one-time-code':
      return <ButtonLabel Icon={CopyIcon}>{button.text}</ButtonLabel>;
    case 'other':
      return <ButtonLabel>{button.text}</ButtonLabel>;
  }
}
