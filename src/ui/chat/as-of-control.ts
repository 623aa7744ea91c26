import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { toSkeinError } from '../../core/errors.ts';
import type { AsOfChoice, Period, Reach } from '../../engine/contract.ts';
import { asOfDay, asOfLabel, dayLabel, localDay } from '../../store/as-of.ts';
import { base, buttons, fields } from '../design/shared-styles.ts';
import { counted, formatCount } from '../format.ts';
import type { Menu } from '../parts/menu.ts';
import type { Session } from '../session.ts';
import { placedNote } from './as-of-mark.ts';
import '../parts/menu.ts';

/** Asks the view around it to answer questions from what was said up to `choice`, or from everything: fires `as-of`. */
export class AsOfEvent extends Event {
  constructor(readonly choice: AsOfChoice | undefined) {
    super('as-of', { bubbles: true, composed: true });
  }
}

/** Where a person chooses up to when questions are answered: the end of a day, or a turn. */
@customElement('skein-as-of')
export class AsOfControl extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ type: Number }) turns = 0;
  /** What holds now. */
  @property({ attribute: false }) choice: AsOfChoice | undefined;
  /** When the thread's turns were said; null where none has a date. */
  @state() private period: Period | null | undefined;
  /** What the choice in the fields comes to. */
  @state() private told = '';
  @state() private problem = '';
  /** Counts looks, so that a late one says nothing. */
  private looks = 0;
  @query('form') private form!: HTMLFormElement;
  @query('skein-menu') private menu!: Menu;

  override render(): TemplateResult {
    const { choice } = this;
    return html`<skein-menu label="Ask as of a date" icon="clock" @click=${this.onOpen}>
      <form novalidate @submit=${this.onSubmit} @input=${this.onInput}>
        <p class="small"><strong>Ask as of</strong> a time: only what was said up to then is looked at.</p>
        ${this.period === null ? this.noDates() : this.dayField()}
        <label class="field"
          >${this.period === null ? 'Up to turn' : 'Or up to turn'}
          <input
            name="turn"
            inputmode="numeric"
            pattern="[0-9]*"
            autocomplete="off"
            placeholder="1 to ${formatCount(this.turns)}"
            .value=${choice?.kind === 'turn' ? String(choice.turns) : ''}
          />
        </label>
        <p class="small soft told" role="status">${this.told}</p>
        <p class="small problem" role="alert">${this.problem}</p>
        <div class="row">
          ${
            choice
              ? html`<button type="button" data-close @click=${() => this.set(undefined)}>Whole thread</button>`
              : nothing
          }
          <button class="primary set">Set</button>
        </div>
      </form>
    </skein-menu>`;
  }

  private dayField(): TemplateResult {
    const { period, choice } = this;
    return html`<label class="field"
      >End of the day
      <input
        name="day"
        type="date"
        min=${period ? localDay(period.first) : nothing}
        max=${period ? localDay(period.last) : nothing}
        .value=${choice?.kind === 'day' ? choice.day : ''}
      />
    </label>`;
  }

  private noDates(): TemplateResult {
    return html`<p class="small soft">The turns of this thread have no dates.</p>`;
  }

  /** The dates are looked for when somebody wants to choose one. */
  private readonly onOpen = (): void => {
    this.problem = '';
    if (this.period !== undefined) return;
    const { threadId } = this;
    void this.session.attempt(async () => {
      const period = await this.session.engine.period(threadId);
      if (threadId === this.threadId) this.period = period ?? null;
    });
  };

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    // Later turns may have the first date, or a later one.
    if (changed.has('threadId') || changed.has('turns')) this.period = undefined;
    if (changed.has('threadId') || changed.has('choice')) this.told = '';
  }

  private readonly onInput = async (event: Event): Promise<void> => {
    const field = event.target as HTMLInputElement;
    // The field that was filled in last counts.
    for (const other of this.form.querySelectorAll('input')) if (other !== field) other.value = '';
    this.problem = '';
    this.told = '';
    const choice = this.chosen();
    const told = choice && (await this.look(choice));
    if (told !== undefined) this.told = told;
  };

  private readonly onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const choice = this.chosen();
    if (!choice) {
      this.problem = this.wrongTurn() ?? 'Choose a day or a turn.';
      return;
    }
    if ((await this.look(choice)) === undefined) return;
    this.menu.close();
    this.set(choice);
  };

  private set(choice: AsOfChoice | undefined): void {
    this.dispatchEvent(new AsOfEvent(choice));
  }

  /** What the fields say, where that is a time. */
  private chosen(): AsOfChoice | undefined {
    const data = new FormData(this.form);
    const day = String(data.get('day') ?? '');
    if (day !== '') return asOfDay(day);
    const turns = this.turnField();
    return turns >= 1 && turns <= this.turns ? { kind: 'turn', turns } : undefined;
  }

  private turnField(): number {
    return Number(String(new FormData(this.form).get('turn') ?? '').trim());
  }

  private wrongTurn(): string | undefined {
    return this.turnField() !== 0 ? `This thread has turns 1 to ${formatCount(this.turns)}.` : undefined;
  }

  /**
   * How much a choice leaves to look at, in words; undefined, with the problem told, where it leaves nothing, and where
   * the person has gone on to another choice or thread.
   */
  private async look(choice: AsOfChoice): Promise<string | undefined> {
    const { threadId } = this;
    const look = ++this.looks;
    const isLate = () => look !== this.looks || threadId !== this.threadId;
    try {
      const reach = await this.session.engine.reach(threadId, choice);
      if (isLate()) return undefined;
      if (reach.turns > 0) return this.reachText(reach);
      this.problem = this.nothingSaid(choice);
    } catch (error) {
      if (isLate()) return undefined;
      const { message, remedy } = toSkeinError(error);
      this.problem = `${message} ${remedy}`;
    }
    return undefined;
  }

  private reachText({ turns, placed }: Reach): string {
    return `${formatCount(turns)} of ${counted(this.turns, 'turn')}${placedNote(placed)}.`;
  }

  private nothingSaid(choice: AsOfChoice): string {
    const begins = this.period ? `: this thread begins on ${dayLabel(localDay(this.period.first))}` : '';
    return `Nothing had been said by ${asOfLabel(choice)}${begins}.`;
  }

  static override readonly styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: inline-block;
        color: var(--ink-soft);
      }
      form {
        display: grid;
        gap: var(--s3);
        padding: var(--s2);
        width: 16rem;
        color: var(--ink);
      }
      .set {
        margin-inline-start: auto;
      }
      .problem {
        color: var(--madder);
      }
      :is(.problem, .told):empty {
        display: none;
      }
    `,
  ];
}
