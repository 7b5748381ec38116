import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../../parts/copy/code-line.tsx';
import { type Language, languages, sampleOf, type SampleRequest } from './samples.ts';

/** Chooses the language of samples. */
export function LanguageChoice({
  language,
  onChange,
}: {
  readonly language: Language;
  readonly onChange: (language: Language) => void;
}): ReactNode {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Language of the samples"
      value={language}
      data={[...languages]}
      onChange={onChange}
    />
  );
}

/** A request as a program in one language. */
export function CodeSample({
  request,
  language,
}: {
  readonly request: SampleRequest;
  readonly language: Language;
}): ReactNode {
  return <CodeLine code={sampleOf[language](request)} what="Sample" label="Copy the sample" />;
}
