// @ts-check
// Makes an investigation from the plain text of a lesson: shows first where each part goes, and what has no place.

import { call, schema } from './api.js';
import { plain } from './changes.js';
import { button, el, id } from './dom.js';
import { placed } from './lesson_text.js';
import { ask, tell, tellFailure } from './notice.js';
import { fields } from './schema.js';

/** The field that holds text without a place, so that it stays in sight. */
const UNPLACED = 'unplacedText';

export async function pasteLesson() {
  try {
    const root = await schema();
    const all = fields(root, {});
    const found = await lessonText(all, root);
    if (!found) return;
    const { content, rest } = found;
    const body = rest.length > 0 ? { ...content, [UNPLACED]: rest.join('\n') } : content;
    const { data } = await call('POST', '/api/investigation', { body });
    tell(rest.length > 0 ? 'Created. Text that was not placed is in the last field.' : 'Created from your text.');
    location.hash = `#/i/${data._id}`;
  } catch (error) {
    tellFailure(error, pasteLesson);
  }
}

/** Asks for a text and shows where its parts go. @param {import('./schema.js').Field[]} all @param {any} root @returns {Promise<import('./lesson_text.js').Placed | null>} */
async function lessonText(all, root) {
  const name = id('lesson');
  const box = el('textarea', {
    id: name,
    rows: 10,
    dir: 'auto',
    placeholder: 'Title\nMaterials:\n- …\nSteps:\n1. … (10 min)',
  });
  const parts = el('dl', { class: 'changes', 'aria-live': 'polite' });
  const show = () => {
    const { content, rest } = placed(box.value, all, root);
    const known = all.filter(({ name }) => content[name] !== undefined);
    const rows = known.map((field) => [field.label, plain(content[field.name])]);
    if (rest.length > 0) rows.push(['Not placed', rest.join('\n')]);
    parts.replaceChildren(
      ...rows.flatMap(([label, text]) => [el('dt', {}, label), el('dd', { class: 'diff', dir: 'auto' }, text)]),
    );
  };
  box.addEventListener('input', show);
  const body = [
    el('label', { for: name }, 'The text of your lesson, with headings such as Materials and Steps'),
    box,
    parts,
  ];
  const answers = [
    { label: 'Cancel', answer: false },
    { label: 'Create the investigation', answer: true, class: 'primary' },
  ];
  const agreed = await ask('Paste a lesson', body, answers, { wide: true });
  return agreed && box.value.trim() !== '' ? placed(box.value, all, root) : null;
}

export const pasteButton = () => button('Paste a lesson', pasteLesson);
