import type { Direction } from '../facts.ts';
import type { BlendAnalysis } from './blend.ts';
import type { ProgressFit } from './progress.ts';
import type { Span } from './window.ts';

/**
 * A possible transition in a window, with refined ends; `residual`: unexplained share of the difference of the
 * ends.
 */
export type Candidate = Span & { readonly fit: ProgressFit; readonly residual: number } & (
    | { readonly type: 'dissolve'; readonly blend: BlendAnalysis }
    | { readonly type: 'wipe'; readonly direction: Direction; readonly explained: number }
    | { readonly type: 'circle'; readonly explained: number }
    | { readonly type: 'slide'; readonly direction: Direction; readonly seam: number }
    | { readonly type: 'zoom'; readonly logScale: number }
  );
