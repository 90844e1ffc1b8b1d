/** Most shots of a template that an edit follows: 20 minutes at a cut every 2.4 s. */
export const MAX_EDIT_SLOTS = 500;
