import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { base, buttons, fields } from '../design/shared-styles.ts';
import { formatCount } from '../format.ts';
import type { Menu } from '../parts/menu.ts';
import { navigate } from '../router.ts';
import type { Session } from '../session.ts';
import { firstTurnOn } from './find-date.ts';
import '../parts/menu.ts';

/** Jumps to a turn by its number or by a date. */
@customElement('skein-go-to')
export class GoTo extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ type: Number }) turns = 0;
  @state() private problem = '';

  override render(): TemplateResult {
    return html`<skein-menu label="Go to" icon="jump" show-label>
      <form @submit=${this.onSubmit}>
        <label class="field"
          >Turn number
          <input name="turn" inputmode="numeric" pattern="[0-9]*" autocomplete="off" placeholder="1 to ${formatCount(this.turns)}" />
        </label>
        <label class="field">Or the first turn on <input name="date" type="date" /></label>
        <p class="small problem" role="alert">${this.problem}</p>
        <div class="row">
          <button type="button" data-close @click=${() => this.go(0)}>Start</button>
          <button type="button" data-close @click=${() => this.go(this.turns - 1)}>End</button>
          <button class="primary go">Go</button>
        </div>
      </form>
    </skein-menu>`;
  }

  private readonly onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const turn = Number(String(data.get('turn') ?? '').trim());
    const date = String(data.get('date') ?? '');
    this.problem = '';
    if (turn >= 1 && turn <= this.turns) this.go(turn - 1);
    else if (turn) this.problem = `This thread has turns 1 to ${formatCount(this.turns)}.`;
    else if (date) await this.goToDate(date);
    if (!this.problem) this.renderRoot.querySelector<Menu>('skein-menu')?.close();
  };

  private async goToDate(date: string): Promise<void> {
    const [year, month, day] = date.split('-').map(Number);
    const midnight = new Date(year!, month! - 1, day!).getTime();
    const turn = await this.session.attempt(() => firstTurnOn(this.session.engine, this.threadId, midnight));
    if (turn === undefined) this.problem = 'No turn is that late, or the turns carry no dates.';
    else this.go(turn);
  }

  private go(turn: number): void {
    navigate({ kind: 'thread', threadId: this.threadId, turn });
  }

  static override readonly styles = [
    base,
    buttons,
    fields,
    css`
      form {
        display: grid;
        gap: var(--s3);
        padding: var(--s2);
        width: 15rem;
      }
      .go {
        margin-inline-start: auto;
      }
      .problem {
        color: var(--madder);
      }
      .problem:empty {
        display: none;
      }
    `,
  ];
}
