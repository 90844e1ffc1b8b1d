const POLLED = new Set(['/livez', '/readyz', '/metrics', '/api/v1/health']);

/** Asked by machines all day: nothing of it is worth a line or a trace. */
export function isPolled(route: string | undefined): boolean {
  return route !== undefined && POLLED.has(route);
}
