import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useDeletions } from '../../state/deletions.ts';
import { VIDEO_KINDS, videosData } from '../../state/lists.ts';
import { EmptyGrid } from './empty-grid.tsx';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useFilters } from './use-filters.ts';
import { useSelection } from './use-selection.ts';
import { VideoCard } from './video-card.tsx';

export function VideoGrid(): ReactElement {
  const { value: kind, onChange, name, onName, typedName } = useFilters('kind', VIDEO_KINDS);
  const query = useInfiniteQuery(videosData(kind, typedName));
  const { hidden } = useDeletions();
  const selection = useSelection();
  const videos = (query.data?.pages ?? [])
    .flatMap((page) => page.videos)
    .filter(({ video_id: id }) => !hidden.has(id));
  const isFiltered = kind !== 'all' || typedName !== '';
  return (
    <>
      <Filters
        label="Kind"
        options={VIDEO_KINDS}
        value={kind}
        onChange={onChange}
        name={name}
        onName={onName}
      />
      <Grid query={query} isEmpty={videos.length === 0} empty={<Empty isFiltered={isFiltered} />}>
        {videos.map((video) => (
          <VideoCard
            key={video.video_id}
            video={video}
            isSelected={selection.names.has(video.video_id)}
            onSelect={selection.toggle}
          />
        ))}
      </Grid>
      <SelectionBar kind="video" selection={selection} />
    </>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }): ReactElement {
  if (isFiltered) return <EmptyGrid title="No matches" text="Choose another kind, or a shorter name." />;
  return (
    <EmptyGrid title="No videos yet" text="What you drop on the first page is kept here, to be used again.">
      <Link href="/" className={buttonClass('main')}>
        <Icon name="add" />
        Add a video
      </Link>
    </EmptyGrid>
  );
}
