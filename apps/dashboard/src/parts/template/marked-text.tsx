import { Fragment, type ReactNode } from 'react';
import { readMarks, type Style } from './whatsapp-format.ts';

const tags = { bold: 'strong', italic: 'em', strike: 's', code: 'code' } as const;

/** A text with WhatsApp's marks such as `*bold*` drawn, if `isMarked`. `draw` draws each stretch without them. */
export function MarkedText({
  text,
  isMarked,
  draw = (run) => run,
}: {
  readonly text: string;
  readonly isMarked: boolean;
  readonly draw?: (run: string) => ReactNode;
}): ReactNode {
  const runs = isMarked ? readMarks(text) : [{ text, styles: [] }];
  return runs.map((run, place) => (
    // The runs have neither a name nor a state.
    <Fragment key={place}>{dress(draw(run.text), run.styles)}</Fragment>
  ));
}

function dress(inner: ReactNode, styles: readonly Style[]): ReactNode {
  return styles.reduceRight((content, style) => {
    const Tag = tags[style];
    return <Tag>{content}</Tag>;
  }, inner);
}
