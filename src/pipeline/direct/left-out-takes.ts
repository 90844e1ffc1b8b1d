/** Takes of an edit that cannot be used: left out, unless somebody asked for them. */
import { Failure } from '../../domain/errors.ts';
import type { Warning } from '../../domain/stage.ts';
import type { TakesInput } from '../engine/direct-results.ts';
import { isRefusedInput } from './direct.ts';

/** A refused file, and the failure whose detail names it. */
interface RefusedTake {
  readonly file: string;
  readonly failure: Failure;
}

/** Collects the refused takes of one edit. */
export class LeftOutTakes {
  readonly #input: TakesInput;
  readonly #refused: RefusedTake[] = [];

  constructor(input: TakesInput) {
    this.#input = input;
  }

  /**
   * The result of `work`; null: its file was refused and is left out. Throws what `work` throws if that is no refusal, or if the take must
   * be used or is pinned.
   */
  async usable<Result>(file: string, work: Promise<Result>): Promise<Result | null> {
    try {
      return await work;
    } catch (error) {
      if (!isRefusedInput(error) || this.#isWanted(file)) throw error;
      if (!this.#refused.some((other) => other.file === file)) this.#refused.push({ file, failure: error });
      return null;
    }
  }

  /** The takes, pins and bans without those of refused files. Throws the refusals if no take is left. */
  get input(): TakesInput {
    const isUsed = ({ file }: { readonly file: string }) => !this.#has(file);
    const { takes, options } = this.#input;
    const used = takes.filter(isUsed);
    if (used.length === 0) throw this.#allRefused();
    return { ...this.#input, takes: used, options: { ...options, bans: options.bans.filter(isUsed) } };
  }

  get warnings(): Warning[] {
    return this.#refused.map(({ failure }) => ({
      code: 'TAKE_LEFT_OUT',
      message: `A take is left out. ${failure.detail}`,
    }));
  }

  #has(file: string): boolean {
    return this.#refused.some((refused) => refused.file === file);
  }

  #isWanted(file: string): boolean {
    const { takes, options } = this.#input;
    return (
      takes.some((take) => take.file === file && take.mustUse) ||
      options.pins.some((pin) => pin.file === file)
    );
  }

  /** One refusal as it is, several with the reason of each. */
  #allRefused(): Failure {
    const [first, ...others] = this.#refused;
    if (others.length === 0) return first!.failure;
    const reasons = this.#refused.map(({ failure }) => failure.detail);
    return new Failure(first!.failure.code, `None of the takes can be used: ${reasons.join('; ')}`);
  }
}
