const POLLED = new Set(['/livez', '/readyz', '/metrics', '/api/v1/health']);

/** Polled by machines all day: these requests get no log line and no trace. */
export function isPolled(route: string | undefined): boolean {
  return route !== undefined && POLLED.has(route);
}
