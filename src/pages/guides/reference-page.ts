import {
  type Content,
  needsKey,
  type OpenApi,
  type Reference,
  type RequestBody,
  type Response,
} from '../../openapi/openapi.ts';
import type { JsonSchema } from '../../rest/described.ts';
import { type ListedOperation, samplesOf } from '../../openapi/samples.ts';
import { documentPage, type PageFrame } from './guide-pages.ts';
import { htmlOf } from './guide-html.ts';
import { enumTexts, linesOf, operationsOf, parameterLine } from './llms.ts';
import { GUIDES } from './guides.ts';
import { programsHtml } from './programs.ts';

const FIRST_STEPS = ['/api/agents/register', '/api/rounds/current', '/api/predictions'];

/** Three requests that play an hour, and the guides. */
function startHtml(document: OpenApi): string {
  const operations = operationsOf(document);
  const steps = FIRST_STEPS.flatMap((path) => operations.find((one) => one.path === path) ?? []);
  const samples = Map.groupBy(steps.flatMap(samplesOf), ([language]) => language);
  const programs = [...samples].map(([language, parts]) => ({ language, text: joined(parts.map(([, text]) => text)) }));
  const guides = GUIDES.map(({ name, title, about }) => `- [${title}](/docs/${name}): ${about}`);
  return [
    htmlOf('# Start here\n\nThree requests play an hour: register, read the question, answer it with your key.'),
    programsHtml(programs, 'start'),
    htmlOf(
      [...guides, '- [REST reference](#rest-reference): every request, with examples that you can send'].join('\n'),
    ),
  ].join('');
}

/** Each program but the first without the lines that it begins with like the first. */
function joined([first = '', ...others]: readonly string[]): string {
  const lines = first.split('\n');
  const rest = others.map((text) => text.split('\n').filter((line, index) => line !== lines[index]));
  return [first, ...rest.map((text) => text.join('\n'))].join('\n');
}

export function referencePage(document: OpenApi, frame: PageFrame): string {
  const { info, tags, components } = document;
  const chapters = tags.map(({ name, description }) => {
    const operations = operationsOf(document).filter(({ operation }) => operation.tags.includes(name));
    return htmlOf(`## ${name}\n\n${description}`) + operations.map((one) => operationHtml(one, components)).join('');
  });
  return documentPage({
    here: '/docs',
    title: 'Start here',
    about: String(info['summary']),
    content: [
      startHtml(document),
      htmlOf(`## REST reference\n\n${String(info['description'])}\n- For programs: [openapi.json](/openapi.json).`),
      ...chapters,
      htmlOf(`## Values\n\n${enumTexts(components).join('\n\n')}`),
    ].join('\n'),
    frame,
  });
}

function operationHtml(listed: ListedOperation, components: OpenApi['components']): string {
  const { method, path, operation } = listed;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const samples = samplesOf(listed).map(([language, text]) => ({ language, text }));
  const taken = [...parameters, ...fieldsOf(requestBody)].map(parameterLine).join('\n');
  const answers = Object.entries(responses).map(([status, response]) => answerOf(status, response, components));
  const good = answers.find(({ status }) => status.startsWith('2'));
  return `<section data-method="${method}" data-path="${path}">
<h3 class="operation" id="${operationId}"><a href="#${operationId}"><span>${method}</span> <code>${path}</code></a></h3>
${htmlOf(`${summary}${needsKey(operation) ? ' Needs a key.' : ''} ${description}`)}
${programsHtml(samples, operationId)}${taken === '' ? '' : details('What it takes', taken, ' open')}
${good?.content === undefined ? '' : exampleHtml(good.content, operationId)}${details('The answer, field by field', linesOf(good?.content))}
${details('Possible answers', answers.map((one) => `- **${one.status}** ${one.description}`).join('\n'))}
</section>
`;
}

function fieldsOf(body: RequestBody | undefined) {
  const { properties = {}, required = [] }: JsonSchema = Object(body?.content['application/json']?.schema);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body' as const,
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }));
}

function details(summary: string, markdown: string, isOpen: '' | ' open' = ''): string {
  return markdown === '' ? '' : `<details${isOpen}><summary>${summary}</summary>\n${htmlOf(markdown)}</details>`;
}

function exampleHtml(content: Content, operationId: string): string {
  const [shown] = Object.values(content);
  const example = shown?.example;
  if (example === undefined) return '';
  const program =
    typeof example === 'string'
      ? { language: '', text: example.trim() }
      : { language: 'json', text: JSON.stringify(example, null, 2) };
  return programsHtml([{ ...program, title: 'An answer' }], `${operationId}-answer`);
}

function answerOf(status: string, response: Response | Reference, { responses }: OpenApi['components']) {
  const found = '$ref' in response ? responses[response.$ref.split('/').at(-1) ?? ''] : response;
  const [first = ''] = (found?.description ?? '').split('\n\n', 1);
  return { status, description: first, content: found?.content };
}
