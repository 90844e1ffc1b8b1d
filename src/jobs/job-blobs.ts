/** Everything a job leaves in the blob store lies under its prefix, one folder for each attempt. */
export function jobBlobPrefix(jobId: string): string {
  return `jobs/${jobId}/`;
}

export function attemptBlobPrefix(jobId: string, attempt: number): string {
  return `${jobBlobPrefix(jobId)}${attempt}/`;
}
