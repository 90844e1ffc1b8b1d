const POLLED = new Set(['/livez', '/readyz', '/metrics', '/api/v1/health']);

/** Routes that machines poll: their requests get no log line and no trace. */
export function isPolled(route: string | undefined): boolean {
  return route !== undefined && POLLED.has(route);
}
