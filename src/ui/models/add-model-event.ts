import type { AnswerModel } from '../../answer/models.ts';

/** A form has made a model of one's own. */
export class AddModelEvent extends Event {
  constructor(readonly model: AnswerModel) {
    super('add-model', { bubbles: true });
  }
}
