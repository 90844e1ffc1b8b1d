/** What a process of a fleet does: everything, answer and run no jobs, run jobs and answer little. */
export const ROLES = ['all', 'api', 'worker'] as const;
