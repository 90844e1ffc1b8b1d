/** The deepest answer, a timeline, has about twelve levels. Thousands overflow the stack of whoever walks through them. */
const MAX_DEPTH = 200;

/** The data of a JSON text by a service, which can be hostile. Throws SyntaxError, also above `MAX_DEPTH` levels. */
export function parsedJson(text: string): unknown {
  assertDepth(text);
  return JSON.parse(text);
}

function assertDepth(text: string): void {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} levels`);
  }
}
