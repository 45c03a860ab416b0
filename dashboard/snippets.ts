interface Snippet {
  readonly language: string;
  readonly text: string;
}

interface SnippetParts {
  /** The service's origin, such as `https://example.org`. */
  readonly origin: string;
  readonly key: string;
  readonly roundId: number;
  readonly prediction: string;
}

/** Programs that answer a round with this key, ready to paste. */
export function snippets({ origin, key, roundId, prediction }: SnippetParts): readonly Snippet[] {
  const body = JSON.stringify({ round_id: roundId, prediction, confidence: 70 });
  return [
    {
      language: 'curl',
      text: `curl -s ${origin}/api/predictions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`,
    },
    {
      language: 'JavaScript',
      text: `const { round } = await (await fetch('${origin}/api/rounds/current')).json();
const answer = await fetch('${origin}/api/predictions', {
  method: 'POST',
  headers: { authorization: 'Bearer ${key}', 'content-type': 'application/json' },
  body: JSON.stringify({ round_id: round.id, prediction: round.choices[0], confidence: 70 }),
});
console.log(await answer.json());`,
    },
    {
      language: 'Python',
      text: `import json, urllib.request as web
at = '${origin}/api/'
round = json.load(web.urlopen(at + 'rounds/current'))['round']
body = {'round_id': round['id'], 'prediction': round['choices'][0], 'confidence': 70}
print(web.urlopen(web.Request(at + 'predictions', json.dumps(body).encode(), {
    'Authorization': 'Bearer ${key}', 'Content-Type': 'application/json'})).read().decode())`,
    },
  ];
}
