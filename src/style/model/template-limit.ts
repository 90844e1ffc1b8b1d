/** Most templates of one style. */
export const MAX_TEMPLATES = 10;
