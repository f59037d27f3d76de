// @ts-check
// The error of an operation that was not started, because unsaved text could not be stored first. Its message says
// what the user can do.

import { wordsOf } from '../core/api.js';

export class NotSaved extends Error {
  /** @param {import('./doc.js').Doc} doc */
  constructor(doc) {
    super(obstacle(doc));
  }
}

/** @param {import('./doc.js').Doc} doc */
function obstacle(doc) {
  if (doc.isNothing) return 'Nothing was done, because nothing is written yet.';
  switch (doc.state) {
    case 'gone':
      return 'Nothing was done: this lesson was deleted.';
    case 'forbidden':
      return 'Nothing was done: you may no longer change this lesson.';
    case 'clash':
      return 'Nothing was done. First choose between the two texts of the field that was changed elsewhere, too.';
    case 'refused':
      return 'Nothing was done. First correct the field that is not saved.';
    default:
      return `Nothing was done, because your last changes are not saved yet. ${wordsOf(doc.failure)}`;
  }
}
