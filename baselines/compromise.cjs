// Reads JSON strings, a line each; writes for each a JSON list of what compromise finds. Argument: the library's file.
const nlp = require(require('path').resolve(process.argv[2]))
const KINDS = [['PERSON', 'people'], ['LOCATION', 'places'], ['ORGANIZATION', 'organizations']]

function find(text) {
  const document = nlp(text)
  return KINDS.flatMap(([type, view]) =>
    document[view]().json({ offset: true }).map(({ text, offset }) => ({ text, type, start: offset.start, length: offset.length })))
}

require('readline').createInterface({ input: process.stdin, crlfDelay: Infinity })
  .on('line', (line) => process.stdout.write(JSON.stringify(find(JSON.parse(line))) + '\n'))
