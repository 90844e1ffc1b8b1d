import type { ReactElement } from 'react';
import { Well } from '../../parts/well.tsx';
import { changeMake, type Source } from '../../state/make.ts';
import { startUpload } from '../../state/uploads.ts';
import { FileCard } from './file-card.tsx';

export function SourceWell({ source }: { readonly source: Source | null }): ReactElement {
  const take = (file: File) => changeMake({ source: { kind: 'upload', uploadId: startUpload(file) } });
  return (
    <Well
      title="Your video"
      icon="film"
      hint="or drop a video here. It stays on the machine that runs this service."
      accept="video/*,.mkv,.mts,.m2ts"
      onFile={take}
    >
      {source !== null && <FileCard source={source} onRemove={() => changeMake({ source: null })} />}
    </Well>
  );
}
