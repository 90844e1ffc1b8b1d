import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { Link } from 'wouter';
import type { JobDetail } from '../../../../src/client/api-types.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { CaptionWords } from '../../parts/caption-words.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Notice } from '../../parts/notice.tsx';
import { captionsData, type KnownCaptions } from '../../state/server-data.ts';
import { queries, service } from '../../state/service.ts';
import { SPEECH, spokenWordsData } from '../../state/spoken-words.ts';
import { errorTextOf } from '../../words/error-text.ts';
import { type Caption, subRipOf } from '../../words/sub-rip.ts';
import styles from './spoken-words.module.css';

/** The words that were heard in the video, to correct them. They become its caption file, which the next result shows. */
export function SpokenWords({ job }: { readonly job: JobDetail }): ReactElement | null {
  if (!job.artifacts.some(({ name }) => name === SPEECH)) return null;
  return (
    <Fold label="Correct the spoken words">
      <Words job={job} />
    </Fold>
  );
}

function Words({ job: { job_id: jobId, video_id: videoId } }: { readonly job: JobDetail }): ReactElement {
  const transcript = useQuery(spokenWordsData(jobId));
  if (transcript.error !== null) return <Notice errorText={errorTextOf(transcript.error)} />;
  return transcript.data === undefined ? (
    <p />
  ) : (
    <Editor jobId={jobId} videoId={videoId} transcript={transcript.data} />
  );
}

function Editor({
  jobId,
  videoId,
  transcript,
}: {
  readonly jobId: string;
  readonly videoId: string;
  readonly transcript: readonly Caption[];
}): ReactElement {
  const [captions, change] = useState(transcript);
  const save = useMutation({
    mutationFn: () => service.putCaptions(videoId, subRipOf(captions)),
    onSuccess: ({ format, cue_count: cueCount, warnings }) => {
      const known: KnownCaptions = { format, cueCount, warnings };
      queries.setQueryData(captionsData(videoId).queryKey, known);
    },
  });
  const edit = (edited: readonly Caption[]) => {
    save.reset();
    change(edited);
  };
  return (
    <form
      className={styles.words}
      aria-label="Spoken words"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <CaptionWords captions={captions} onChange={edit} />
      <div className={styles.row}>
        <Button type="submit" icon="check" disabled={save.isPending || subRipOf(captions) === ''}>
          Keep these words
        </Button>
        {save.isSuccess && (
          <Link href={`/?from=${jobId}`} className={buttonClass()}>
            <Icon name="tune" />
            Render with them
          </Link>
        )}
      </div>
      <p className={styles.note} role="status">
        {save.isSuccess
          ? 'Saved as the caption file of your video. The next result shows them.'
          : 'A line without words is not shown.'}
      </p>
      {save.error !== null && <Notice errorText={errorTextOf(save.error)} />}
    </form>
  );
}
