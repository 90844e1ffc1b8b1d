export function rememberProgram(roots?: readonly string[]): void;
