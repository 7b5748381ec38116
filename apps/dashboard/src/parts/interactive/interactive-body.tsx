import type { ReactNode } from 'react';
import { ExternalIcon, ListIcon, ReplyIcon } from '../icons.tsx';
import { ButtonLabel } from '../phone/button-label.tsx';
import { MarkedText } from '../template/marked-text.tsx';
import type { Appearance, DrawnButton } from './appearance.ts';
import classes from './interactive.module.css';

/**
 * Buttons or a list as the recipient sees them, inside a bubble. Nothing in it can be pressed: the address of a link is text, so that
 * nobody opens it by mistake.
 */
export function InteractiveBody({
  appearance: { header, text, footer, buttons, list },
  isMarked,
}: {
  readonly appearance: Appearance;
  /** Whether marks such as `*bold*` are drawn, as WhatsApp does. */
  readonly isMarked: boolean;
}): ReactNode {
  return (
    <div className={classes.body}>
      {header !== null && <p className={classes.header}>{header}</p>}
      <p className={classes.text}>
        <MarkedText text={text} isMarked={isMarked} />
      </p>
      {footer !== null && <p className={classes.footer}>{footer}</p>}
      {buttons.length > 0 && (
        <ul className={classes.buttons} aria-label="Buttons">
          {buttons.map((button, index) => (
            // Buttons are told apart by their place only.
            <li key={index} className={classes.button}>
              <Button button={button} />
            </li>
          ))}
        </ul>
      )}
      {list !== null && <List list={list} />}
    </div>
  );
}

function Button({ button: { title, url } }: { readonly button: DrawnButton }): ReactNode {
  return (
    <>
      <ButtonLabel Icon={url === null ? ReplyIcon : ExternalIcon}>{title}</ButtonLabel>
      {url !== null && <span className={classes.address}>{url}</span>}
    </>
  );
}

function List({ list: { button, sections } }: { readonly list: NonNullable<Appearance['list']> }): ReactNode {
  return (
    <>
      <p className={classes.opener}>
        <ButtonLabel Icon={ListIcon}>{button}</ButtonLabel>
      </p>
      <div role="group" aria-label="List" className={classes.list}>
        {sections.map(({ title, rows }, place) => (
          // Sections and rows are told apart by their place only.
          <div key={place}>
            {title !== undefined && title !== '' && <p className={classes.section}>{title}</p>}
            <ul className={classes.rows}>
              {rows.map((row, index) => (
                <li key={index}>
                  <span>{row.title}</span>
                  {row.description !== undefined && (
                    <span className={classes.address}>{row.description}</span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </>
  );
}
