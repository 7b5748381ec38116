import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCameFrom } from '../../../parts/back-link.tsx';
import { CrossIcon, SearchIcon } from '../../../parts/icons.tsx';
import { type Filter, groupIdIn, messageIdIn } from './filter.ts';
import classes from '../messages.module.css';

/** The conditions that are typed. Each matches a whole value only. */
const typed = [
  { name: 'to', label: 'Recipient', maxLength: 256 },
  { name: 'tag', label: 'Tag', maxLength: 40 },
  { name: 'idempotencyKey', label: 'Idempotency key', maxLength: 100 },
  { name: 'externalId', label: 'Provider ID', maxLength: 512 },
  { name: 'groupId', label: 'Group ID', maxLength: 100 },
  { name: 'errorCode', label: 'Error code', maxLength: 100 },
] as const;
type Typed = (typeof typed)[number];

interface Props {
  readonly filter: Filter;
  readonly onChange: (part: Partial<Filter>) => void;
}

/** Searches by one of the typed conditions. A whole message ID opens that message. */
export function Search(props: Props): ReactNode {
  const { filter } = props;
  const given = typed.find(({ name }) => filter[name] !== null) ?? typed[0];
  const [chosen, choose] = useState<Typed | null>(null);
  const by = chosen ?? given;
  return <Field by={by} onBy={choose} {...props} />;
}

function Field({
  by: { name, label, maxLength },
  onBy,
  filter,
  onChange,
}: Props & { readonly by: Typed; readonly onBy: (by: Typed) => void }): ReactNode {
  const { value, setValue, fault, setFault, moveTo } = useTyped(name, filter);
  const navigate = useNavigate();
  const state = useCameFrom();
  const person = filter.direction === 'inbound' ? 'Sender' : 'Recipient';
  const what = name === 'to' ? `${person} or message ID` : label;
  const search = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // A key may look like an ID without its prefix.
    const id = name === 'to' || value.trim().startsWith('msg_') ? messageIdIn(value) : null;
    const group = groupIdIn(value);
    if (id !== null) void navigate(`/messages/${id}`, { state });
    else if (group !== null) onChange({ groupId: group });
    else if (name === 'groupId' && value.trim() !== '') setFault('A group ID is “grp_” and 36 characters.');
    else onChange({ [name]: value.trim() === '' ? null : value.trim() });
  };
  return (
    <form onSubmit={search} className={classes.search}>
      <NativeSelect
        aria-label="Search by"
        className={classes.searchBy}
        value={name}
        data={typed.map((one) => ({ value: one.name, label: one.name === 'to' ? person : one.label }))}
        onChange={({ currentTarget }) => {
          const next = typed.find((one) => one.name === currentTarget.value) ?? typed[0];
          moveTo(next.name);
          onBy(next);
        }}
      />
      <TextInput
        type="search"
        aria-label={what}
        placeholder={what}
        leftSection={<SearchIcon size={16} />}
        maxLength={maxLength}
        error={fault}
        value={value}
        onChange={({ currentTarget }) => {
          setFault(null);
          setValue(currentTarget.value);
        }}
        onBlur={() => {
          if (value.trim() === '' && filter[name] !== null) onChange({ [name]: null });
        }}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}

/** What is typed for a condition: at first, and after each change of the filter, what the filter has of it. */
function useTyped(name: Typed['name'], filter: Filter) {
  const given = filter[name] ?? '';
  const [seen, setSeen] = useState(`${name} ${given}`);
  const [value, setValue] = useState(given);
  const [fault, setFault] = useState<string | null>(null);
  const show = (shown: Typed['name'], text: string): void => {
    setSeen(`${shown} ${filter[shown] ?? ''}`);
    setValue(text);
    setFault(null);
  };
  // A new key would throw the focus away.
  if (seen !== `${name} ${given}`) show(name, given);
  return {
    value,
    setValue,
    fault,
    setFault,
    /** What was typed but not searched for is meant for the next condition. */
    moveTo: (next: Typed['name']) => show(next, filter[next] ?? (value === given ? '' : value)),
  };
}

/** The typed conditions that the list has, each with a button that removes it. */
export function Conditions({ filter, onChange }: Props): ReactNode {
  const given = typed.filter(({ name }) => filter[name] !== null);
  // A single recipient stands in the search.
  if (given.every(({ name }) => name === 'to')) return null;
  return (
    <div className={classes.conditions} role="group" aria-label="Conditions">
      {given.map(({ name, label }) => (
        <Button
          key={name}
          size="compact-sm"
          variant="light"
          rightSection={<CrossIcon size={12} />}
          aria-label={`Remove the condition ${label}: ${filter[name]}`}
          onClick={() => onChange({ [name]: null })}
        >
          {label}: {filter[name]}
        </Button>
      ))}
    </div>
  );
}
