const LINE_LENGTH = 110;

/** Readable JSON: values that fit on a line stay on it, so that a hundred beats are a hundred lines. */
export function readableJson(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (short === undefined || indent.length + short.length <= LINE_LENGTH) return short;
  if (typeof value !== 'object' || value === null) return short;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => deeper + readableJson(one, deeper)).join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${deeper}${JSON.stringify(name)}: ${readableJson(field, deeper)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}
