import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useDebounced } from '../../state/debounced.ts';

/** The search starts when typing pauses. */
const TYPING_MS = 250;

export interface GridFilters<Value extends string> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Text of the field. */
  readonly name: string;
  readonly onName: (name: string) => void;
  /** Text of the search, after a pause in typing. */
  readonly typedName: string;
}

/** The filters of the library, stored in the address: for reloads, for the return from a job, and in links. */
export function useFilters<Value extends string>(
  key: string,
  options: readonly { readonly value: Value }[],
): GridFilters<Value> {
  const [search, setSearch] = useSearchParams();
  const [name, onName] = useState(search.get('q') ?? '');
  const typedName = useDebounced(name.trim(), TYPING_MS);
  const put = (field: string, value: string | null) =>
    setSearch((before) => withField(before, field, value), { replace: true });
  const urlName = search.get('q') ?? '';
  useEffect(() => {
    if (urlName === typedName) return;
    const value = typedName === '' ? null : typedName;
    setSearch((before) => withField(before, 'q', value), { replace: true });
  }, [typedName, urlName, setSearch]);
  const all = options[0].value;
  return {
    value: options.find(({ value }) => value === search.get(key))?.value ?? all,
    onChange: (value) => put(key, value === all ? null : value),
    ...{ name, onName, typedName },
  };
}

/** The same search with a field set, or without it; pure. */
export function withField(before: URLSearchParams, field: string, value: string | null): URLSearchParams {
  const search = new URLSearchParams(before);
  if (value === null) search.delete(field);
  else search.set(field, value);
  return search;
}
