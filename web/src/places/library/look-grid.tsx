import { useInfiniteQuery } from '@tanstack/react-query';
import { type ChangeEvent, type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { StyleJSON } from '../../../../src/client/api-types.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useDeletions } from '../../state/deletions.ts';
import { savedLooksData } from '../../state/lists.ts';
import { queries, service } from '../../state/service.ts';
import { type ErrorText, errorTextOf } from '../../words/error-text.ts';
import { EmptyGrid } from './empty-grid.tsx';
import { NameFilter } from './filters.tsx';
import { Grid } from './grid.tsx';
import styles from './library-place.module.css';
import { LookCard } from './look-card.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useFilters } from './use-filters.ts';
import { useSelection } from './use-selection.ts';

const NO_KINDS = [{ value: 'all' }] as const;
/** Far above any Style DNA. */
const MAX_BYTES = 1 << 20;

/** The looks that the person saved. */
export function LookGrid(): ReactElement {
  const { name, onName, typedName } = useFilters('kind', NO_KINDS);
  const query = useInfiniteQuery(savedLooksData(typedName));
  const { hidden } = useDeletions();
  const selection = useSelection();
  const looks = (query.data?.pages ?? [])
    .flatMap((page) => page.styles)
    .filter(({ style_id: id }) => !hidden.has(id));
  return (
    <>
      <search className={styles.filters}>
        <AddFile />
        <NameFilter name={name} onName={onName} />
      </search>
      <Grid query={query} isEmpty={looks.length === 0} empty={<Empty isFiltered={typedName !== ''} />}>
        {looks.map((look) => (
          <LookCard
            key={look.style_id}
            look={look}
            isSelected={selection.names.has(look.style_id)}
            onSelect={selection.toggle}
          />
        ))}
      </Grid>
      <SelectionBar kind="style" selection={selection} />
    </>
  );
}

/** Saves a look from a file that was downloaded here or elsewhere. */
function AddFile(): ReactElement {
  const [errorText, setErrorText] = useState<ErrorText | null>(null);
  const add = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file === undefined) return;
    setErrorText(null);
    try {
      await service.createStyle(await styleInFile(file));
      void queries.invalidateQueries({ queryKey: ['styles'] });
    } catch (error) {
      setErrorText(error instanceof SyntaxError ? notAStyle(file) : errorTextOf(error));
    }
    target.value = '';
  };
  return (
    <>
      <label className={`${buttonClass()} ${styles.file}`}>
        <Icon name="upload" />
        Add a look file
        <input type="file" accept=".json,application/json" onChange={(event) => void add(event)} />
      </label>
      {errorText !== null && <Notice errorText={errorText} />}
    </>
  );
}

/** A downloaded look has its name within; another Style DNA has that of its file. Throws SyntaxError. */
async function styleInFile(file: File): Promise<{ name: string; style_json: StyleJSON }> {
  if (file.size > MAX_BYTES) throw new SyntaxError('too large');
  const style: unknown = JSON.parse(await file.text());
  if (typeof style !== 'object' || style === null) throw new SyntaxError('no object');
  const { name } = style as { readonly name?: unknown };
  return {
    name: typeof name === 'string' ? name : file.name.replace(/\.json$/i, '').slice(0, 100),
    // The service checks it.
    style_json: style as StyleJSON,
  };
}

function notAStyle({ name }: File): ErrorText {
  return {
    title: `${name} is not a look file`,
    advice: 'Use a file that was downloaded here, or style.json of a result.',
    technical: null,
  };
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  if (isFiltered) return <EmptyGrid title="No matches" text="Choose a shorter name." />;
  return (
    <EmptyGrid
      title="No looks yet"
      text="Save the look of a result, or select up to ten videos of one brand and save what they have in common."
    >
      <Link href="/library?of=videos" className={buttonClass('main')}>
        Choose videos
      </Link>
    </EmptyGrid>
  );
}
