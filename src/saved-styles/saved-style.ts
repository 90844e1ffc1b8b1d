/** Styles that a person saved, as other modules see them. */
import type { Listing, ListRequest } from '../database/listing.ts';
import type { IdempotencyKey, StoredResponse } from '../idempotency/idempotency.ts';
import type { Style } from '../style/model/schema.ts';

/** What a style was made from. */
export type StyleOrigin =
  | {
      readonly kind: 'videos';
      readonly videos: readonly { readonly videoId: string; readonly filename: string }[];
    }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'style_json' };

export interface SavedStyle {
  readonly styleId: string;
  readonly name: string;
  readonly style: Style;
  readonly origin: StyleOrigin;
  readonly hasPicture: boolean;
  readonly createdAt: Date;
  /** Changes with the name. */
  readonly updatedAt: Date;
  /** Number of existing jobs that were created with it. */
  readonly useCount: number;
}

export interface NewStyle extends Pick<SavedStyle, 'name' | 'style' | 'origin'> {
  /** Key of a blob with a JPEG, which is copied; null: none. */
  readonly pictureKey: string | null;
}

export interface StyleFilter {
  /** Part of the name, case-insensitive. */
  readonly text?: string;
}

/** Throws `Failure`. */
export interface SavedStyleService {
  /** Throws STYLE_NAME_TAKEN. */
  create(
    style: NewStyle,
    idempotency: {
      readonly key: IdempotencyKey;
      readonly response: (style: SavedStyle) => StoredResponse;
    } | null,
  ): Promise<SavedStyle>;
  /** Throws STYLE_NOT_FOUND. */
  get(styleId: string): Promise<SavedStyle>;
  list(request: ListRequest<StyleFilter>): Promise<Listing<SavedStyle>>;
  /** Throws STYLE_NOT_FOUND, STYLE_NAME_TAKEN. */
  rename(styleId: string, name: string): Promise<SavedStyle>;
  /** Jobs that have it keep their copy. Throws STYLE_NOT_FOUND. */
  remove(styleId: string): Promise<void>;
  /** Before long work. Throws STYLE_NAME_TAKEN. */
  assertNameFree(name: string): Promise<void>;
}
