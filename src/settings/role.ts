/** Role of a process in a fleet: everything, the API without jobs, or jobs with a minimal API. */
export const ROLES = ['all', 'api', 'worker'] as const;
