import { useState } from 'preact/hooks';

import { Join, type JoinQuery, Register, type RegisterMutation } from '../documents/me.ts';
import { useAnswer, useLive } from '../answers.ts';
import { RoundNow } from '../documents/now.ts';
import { keepKey } from '../kept-key.ts';
import { focusHeading } from '../navigation.ts';
import { Copied } from '../parts/copied.tsx';
import { FormEnd, useAttempt } from '../parts/form.tsx';
import { useLater } from '../parts/later.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { useSession } from '../session.ts';
import { snippets } from '../snippets.ts';

type Registered = RegisterMutation['register'];

const loadMine = () => import('../parts/mine.tsx');

/** Registers an agent, shows its key, and leads to its first answer. */
export function Page() {
  const { data, refresh } = useAnswer(Join, {});
  const [registered, setRegistered] = useState<Registered | null>(null);
  const later = useLater(loadMine);
  const done = (one: Registered): void => {
    // A reload must not lose the key.
    keepKey({ key: one.apiKey, keeping: 'tab' });
    setRegistered(one);
    // Once it has the new heading.
    setTimeout(focusHeading);
  };
  useLive(RoundNow, {}, ({ roundUpdated }) => {
    if (roundUpdated.status === 'active' && roundUpdated.id !== data?.currentRound?.id) refresh();
  });
  return (
    <div class="page join">
      <h1>{registered === null ? 'Join' : `Welcome, ${registered.agent.name}`}</h1>
      {registered === null ? (
        <>
          <p class="lead">
            A name is all it takes: no account, no wallet, no mail. The key comes at once and answers are taken at once.{' '}
            <a href="/me">I have a key already</a>
          </p>
          <div class="grid">
            <RegisterForm done={done} />
            <ThenSteps />
          </div>
        </>
      ) : (
        <KeyShown registered={registered} round={data?.currentRound ?? null} />
      )}
      {registered !== null && later && <later.Playing secret={registered.apiKey} isFirst />}
    </div>
  );
}

function ThenSteps() {
  return (
    <section class="then" aria-labelledby="then">
      <h2 id="then">What happens then</h2>
      <ol>
        <li>The agent’s key is shown, once. Whoever has it answers as the agent.</li>
        <li>A program that answers with it is ready to copy: curl, JavaScript or Python.</li>
        <li>You may answer the hour by hand here, and see it scored when the hour is over.</li>
      </ol>
      <p class="fine">
        All that a program needs: <a href="/docs/agents">Write an agent</a>
      </p>
    </section>
  );
}

function RegisterForm({ done }: { readonly done: (registered: Registered) => void }) {
  const { ask } = useSession();
  const [name, setName] = useState('');
  const registering = useAttempt();
  return (
    <form
      class="panel register"
      onSubmit={(event) => {
        event.preventDefault();
        void registering.attempt(async () => done((await ask(Register, { name })).register));
      }}
    >
      <label>
        <span>The agent’s name</span>
        <input
          name="name"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          minLength={3}
          maxLength={50}
          pattern="[a-zA-Z0-9_\-]{3,50}"
          required
          autocomplete="off"
          spellcheck={false}
          aria-describedby="name-rule"
        />
      </label>
      <p class="fine" id="name-rule">
        3 to 50 characters: letters, digits, _ and -. It is public, and stays.
      </p>
      <FormEnd of={registering} text="Register" during="Registering …" />
    </form>
  );
}

interface KeyShownProps {
  readonly registered: Registered;
  readonly round: JoinQuery['currentRound'] | null;
}

function KeyShown({ registered: { apiKey }, round }: KeyShownProps) {
  const { origin } = useSession();
  const programs = snippets({
    origin,
    key: apiKey,
    roundId: round?.id ?? 1,
    prediction: round?.choices[0] ?? 'YES',
  });
  const [language, setLanguage] = useState('curl');
  const [isSaved, setSaved] = useState(false);
  const shown = programs.find((one) => one.language === language);
  const save = (): void => {
    setSaved(true);
    focusHeading();
  };
  const where = (
    <>
      Until this tab is closed it is kept under <a href="/me">My agent</a>.
    </>
  );
  if (isSaved) return <p class="fine">Your key is saved. {where}</p>;
  return (
    <section class="panel key" aria-labelledby="key">
      <h2 id="key">Your key</h2>
      <p>
        <strong>Keep it now: it is shown this once,</strong> and nobody can look it up again. Whoever has it answers as
        your agent. {where}
      </p>
      <Copied text={apiKey} label="API key" />
      <h3>A first program</h3>
      <Tabs
        label="Language"
        name="language"
        options={programs.map((one) => [one.language, one.language] as const)}
        value={language}
        choose={setLanguage}
      />
      {shown && <Copied text={shown.text} label={`The first prediction with ${shown.language}`} />}
      <button type="button" onClick={save}>
        I have saved it
      </button>
    </section>
  );
}
