import { type ReactElement, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Job } from '../../../../src/client/api-types.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { deleteLater } from '../../state/deletions.ts';
import { useJobName } from '../../state/job-name.ts';

const COPIED_MS = 2000;

/** Brings the settings back to the first place. */
export function AgainWithChanges({ job }: { readonly job: Job }): ReactElement {
  return (
    <Link href={`/?from=${job.job_id}`} className={buttonClass()}>
      <Icon name="tune" />
      Again with changes
    </Link>
  );
}

export function DeleteJob({ job }: { readonly job: Job }): ReactElement {
  const [, go] = useLocation();
  const { source } = useJobName(job);
  return (
    <Button
      icon="bin"
      manner="quiet"
      onClick={() => {
        deleteLater([{ kind: 'job', id: job.job_id, name: source }]);
        go('/library');
      }}
    >
      Delete
    </Button>
  );
}

export function CopyLink(): ReactElement {
  const [label, setLabel] = useState<'Copy link' | 'Copied' | 'Copy the address above'>('Copy link');
  const copy = async () => {
    // Pages without TLS may not write to the clipboard.
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    setLabel(isCopied === true ? 'Copied' : 'Copy the address above');
    setTimeout(() => setLabel('Copy link'), COPIED_MS);
  };
  return (
    <>
      <Button icon="share" onClick={() => void copy()}>
        {label}
      </Button>
      {/* Beside the button: a status within it takes its name from it. */}
      <span className="unseen" role="status">
        {label === 'Copy link' ? '' : label}
      </span>
    </>
  );
}
