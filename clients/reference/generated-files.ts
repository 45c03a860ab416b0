import packageFile from '../../package.json' with { type: 'json' };
import { serviceReference } from '../../src/openapi/document.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { compileTable } from '../../src/rest/compile.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';
import { modelOf } from './model.ts';
import { pythonEndpointsOf, pythonTypesOf } from './python.ts';
import { typescriptOf } from './typescript.ts';

interface GeneratedFile {
  readonly url: URL;
  readonly text: string;
}

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

/** The generated texts, and their paths. */
export function generatedFiles(): readonly GeneratedFile[] {
  const schema = makeSchema();
  const table = compileTable(ENDPOINTS, schema);
  const model = modelOf(serviceReference({ schema, table, version: packageFile.version }));
  return [
    { url: at('js/src/reference.ts'), text: typescriptOf(model) },
    { url: at('python/src/hourcast/types.py'), text: pythonTypesOf(model) },
    { url: at('python/src/hourcast/endpoints.py'), text: pythonEndpointsOf(model) },
  ];
}
