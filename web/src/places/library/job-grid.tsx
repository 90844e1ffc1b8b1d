import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useDeletions } from '../../state/deletions.ts';
import { JOB_STATES, jobsData } from '../../state/lists.ts';
import { isUnderWay } from '../../state/server-data.ts';
import { EmptyGrid } from './empty-grid.tsx';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { JobCard } from './job-card.tsx';
import { LookFilter } from './look-filter.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useFilters, withField } from './use-filters.ts';
import { useSelection } from './use-selection.ts';

export function JobGrid(): ReactElement {
  const { value: state, onChange, name, onName, typedName } = useFilters('state', JOB_STATES);
  const [search, setSearch] = useSearchParams();
  const look = search.get('look');
  const query = useInfiniteQuery(jobsData(state, typedName, look));
  const { hidden } = useDeletions();
  const selection = useSelection();
  const jobs = (query.data?.pages ?? [])
    .flatMap((page) => page.jobs)
    .filter(({ job_id: id }) => !hidden.has(id));
  const isFiltered = state !== 'all' || typedName !== '' || look !== null;
  return (
    <>
      <Filters
        label="State"
        options={JOB_STATES}
        value={state}
        onChange={onChange}
        name={name}
        onName={onName}
      >
        {look !== null && (
          <LookFilter
            look={look}
            onClear={() => setSearch((before) => withField(before, 'look', null), { replace: true })}
          />
        )}
      </Filters>
      <Grid query={query} isEmpty={jobs.length === 0} empty={<Empty isFiltered={isFiltered} />}>
        {jobs.map((job) => (
          <JobCard
            key={job.job_id}
            job={job}
            isSelected={selection.names.has(job.job_id)}
            // A job is deleted once it has ended; one that runs is cancelled first, at its own place.
            onSelect={isUnderWay(job.status) ? null : selection.toggle}
          />
        ))}
      </Grid>
      <SelectionBar kind="job" selection={selection} />
    </>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  if (isFiltered)
    return <EmptyGrid title="No matches" text="Choose another state, a shorter name, or any look." />;
  return (
    <EmptyGrid
      title="Nothing was made yet"
      text="Add a video and a look, and render: the result appears here."
    >
      <Link href="/" className={buttonClass('main')}>
        <Icon name="add" />
        Make the first one
      </Link>
    </EmptyGrid>
  );
}
