import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Link } from 'wouter';
import type { SavedStyle, StyleCreateRequest } from '../../../src/client/api-types.ts';
import { queries, service } from '../state/service.ts';
import { type ErrorText, errorTextOf } from '../words/error-text.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import { Progress } from './progress.tsx';
import styles from './save-look.module.css';

type State =
  | { readonly kind: 'closed' | 'open' }
  /** `share`: of measuring, 0..1; null: not begun. */
  | { readonly kind: 'saving'; readonly share: number | null }
  | { readonly kind: 'saved'; readonly look: SavedStyle };

/** Saves a look under a name, in place: a button, then a field, then where the look is. */
export function SaveLook({
  text,
  name: firstName,
  made,
}: {
  readonly text: string;
  readonly name: string;
  readonly made: Omit<StyleCreateRequest, 'name'>;
}): ReactElement {
  const [state, setState] = useState<State>({ kind: 'closed' });
  const [name, setName] = useState(firstName);
  const [errorText, setErrorText] = useState<ErrorText | null>(null);
  const field = useId();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setErrorText(null);
    setState({ kind: 'saving', share: null });
    try {
      const look = await service.waitForStyle(
        { ...made, name },
        { onUpdate: ({ progress_percent: percent }) => setState({ kind: 'saving', share: percent / 100 }) },
      );
      setState({ kind: 'saved', look });
      void queries.invalidateQueries({ queryKey: ['styles'] });
    } catch (error) {
      setErrorText(errorTextOf(error));
      setState({ kind: 'open' });
    }
  };
  if (state.kind === 'closed')
    return (
      <Button icon="look" onClick={() => setState({ kind: 'open' })}>
        {text}
      </Button>
    );
  if (state.kind === 'saved')
    return (
      <p role="status" className={styles.saved}>
        Saved as <Link href="/library?of=looks">{state.look.name}</Link>
      </p>
    );
  const isSaving = state.kind === 'saving';
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <label className={styles.field} htmlFor={field}>
        <span>Name of the look</span>
        <input
          id={field}
          value={name}
          required
          maxLength={100}
          disabled={isSaving}
          // It opens by a press of its own button.
          // biome-ignore lint/a11y/noAutofocus: the field replaces the button that had the focus
          autoFocus
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={isSaving}>
        Save
      </Button>
      <Button manner="quiet" disabled={isSaving} onClick={() => setState({ kind: 'closed' })}>
        Cancel
      </Button>
      {isSaving && state.share !== null && <Progress share={state.share} label="Measuring the look" />}
      {errorText !== null && <Notice errorText={errorText} />}
    </form>
  );
}
