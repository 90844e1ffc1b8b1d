/** Version of the StyleJSON format: new fields are a minor version; readers ignore unknown fields. */
export const STYLE_VERSION = '1.0.0';
