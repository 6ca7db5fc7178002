/** The examples of the OpenAPI documents: of everything that is sent, and as their schemas allow. */
import { describe, expect, test } from 'vitest';
import { unknownText } from '../../src/http/api-document/examples.ts';
import { documents, schemaFaultOf } from '../fixtures/response-faults.ts';

interface Shown {
  readonly schema: { readonly format?: string };
  readonly example?: unknown;
}
type Content = Readonly<Record<string, Shown>>;
interface Call {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly (Shown & { readonly name: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
  };
}

describe.each(['portal', 'encodingApi'] as const)('the OpenAPI document %s', (name) => {
  const { paths, components } = JSON.parse(JSON.stringify(documents[name])) as Document;
  const calls = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, call]) => ({ call, place: ['paths', path, verb] })),
  );

  /** What of a call has an example, and where it is; a binary file has none. */
  function listShown({ call, place }: (typeof calls)[number]) {
    const contents = [
      { content: call.requestBody?.content ?? {}, at: ['requestBody'] },
      ...Object.entries(call.responses)
        .filter(([status]) => Number(status) < 300)
        .map(([status, { content = {} }]) => ({ content, at: ['responses', status] })),
    ];
    const bodies = contents.flatMap(({ content, at }) =>
      Object.entries(content).map(([type, shown]) => ({ shown, at: [...at, 'content', type] })),
    );
    const parameters = call.parameters.map((shown, index) => ({
      shown,
      at: ['parameters', String(index)],
    }));
    return [...parameters, ...bodies]
      .filter(({ shown }) => shown.schema.format !== 'binary')
      .map(({ shown, at }) => ({ shown, place: [...place, ...at] }));
  }

  test('describes every call in sentences', () => {
    for (const { call } of calls) {
      expect(call.summary, call.operationId).toMatch(/^[A-Z].*\.$/s);
      expect(call.description, call.operationId).toMatch(/^[A-Z].+\. Needs .+\.$/s);
    }
  });

  // promise d4.public.openapi-examples
  test('has an example of every parameter and body, which its schema allows', () => {
    const faults = calls.flatMap(listShown).flatMap(({ shown, place }) => {
      const isUnknown = JSON.stringify(shown.example ?? unknownText).includes(`"${unknownText}"`);
      const fault = isUnknown
        ? 'needs a value in example-values.ts'
        : schemaFaultOf(name, [...place, 'schema'], shown.example);
      return fault === null ? [] : [`${place.join(' ')}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test('has examples of refusals that their schemas allow', () => {
    for (const [schema, { examples = [] }] of Object.entries(components.schemas))
      for (const example of examples)
        expect(schemaFaultOf(name, ['components', 'schemas', schema], example)).toBeNull();
  });
});

test('an example of an operation is that of its call', () => {
  const { paths } = JSON.parse(JSON.stringify(documents.portal)) as Document;
  const answer = (path: string, status: string) =>
    paths[path]?.['post']?.responses[status]?.content?.['application/json']?.example;
  expect(answer('/api/ktag/encode-backup', '202')).toMatchObject({
    asyncOperationType: 'KTAGEncode',
    status: 'waiting',
    isCompleted: false,
    result: null,
  });
});
