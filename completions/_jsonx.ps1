
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'jsonx' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'jsonx'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'jsonx' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that files are valid JSON (RFC 8259, UTF-8)')
            [CompletionResult]::new('fmt', 'fmt', [CompletionResultType]::ParameterValue, 'Format JSON: change white space and nothing else')
            [CompletionResult]::new('fix', 'fix', [CompletionResultType]::ParameterValue, 'Repair broken JSON')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print the values that a path selects')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set one value: change it where it is, or add it')
            [CompletionResult]::new('append', 'append', [CompletionResultType]::ParameterValue, 'Add one value to the end of an array')
            [CompletionResult]::new('del', 'del', [CompletionResultType]::ParameterValue, 'Remove values, with their keys and commas')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Make several edits, in order, in one write')
            [CompletionResult]::new('locate', 'locate', [CompletionResultType]::ParameterValue, 'Print the path of the value at a position: the inverse of `jsonx get --locate`')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert JSON to MessagePack and back')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Print what has changed between two JSON documents')
            [CompletionResult]::new('patch', 'patch', [CompletionResultType]::ParameterValue, 'Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396)')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain the code of a finding, with a wrong and a right example')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'jsonx;validate' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--reporter', '--reporter', [CompletionResultType]::ParameterName, 'Report format, with =FILE written to that file: human, concise, json, sarif, github, gitlab, junit, checkstyle, rdjson')
            [CompletionResult]::new('--schema', '--schema', [CompletionResultType]::ParameterName, 'Check values with the JSON Schema in FILE, at POINTER')
            [CompletionResult]::new('--schema-map', '--schema-map', [CompletionResultType]::ParameterName, 'Check the files that match GLOB with the schema in FILE, or all that a catalog has a schema for')
            [CompletionResult]::new('--schema-dir', '--schema-dir', [CompletionResultType]::ParameterName, 'Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"')
            [CompletionResult]::new('--draft', '--draft', [CompletionResultType]::ParameterName, 'The draft of the schemas, whatever "$schema" says in them: 4, 6, 7, 2019-09 or 2020-12 [default: 2020-12 if they do not say]')
            [CompletionResult]::new('--formats', '--formats', [CompletionResultType]::ParameterName, 'Whether "format" is a rule: assert, or annotate, which does not check it')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report a lint as a warning (the default)')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Report a lint as an error')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Do not report a lint: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all of these; or schema/KEYWORD')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--fail-fast', '--fail-fast', [CompletionResultType]::ParameterName, 'Stop at the first invalid file')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Apply safe fixes to the files, and report what is left')
            [CompletionResult]::new('--use-schema-key', '--use-schema-key', [CompletionResultType]::ParameterName, 'Check each file with the schema that it names itself, in its key "$schema"')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Same as --deny all')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;fmt' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--stdin-filename', '--stdin-filename', [CompletionResultType]::ParameterName, 'Format standard input as the text of the file NAME, for editors')
            [CompletionResult]::new('--reporter', '--reporter', [CompletionResultType]::ParameterName, 'Report format of --check, with =FILE written to that file: human, concise, json, sarif, github, gitlab, junit, checkstyle, rdjson')
            [CompletionResult]::new('--indent', '--indent', [CompletionResultType]::ParameterName, 'Indent by N spaces per level; 0 is --compact [default: 2]')
            [CompletionResult]::new('--width', '--width', [CompletionResultType]::ParameterName, 'Keep arrays and objects on one line where they fit in N characters')
            [CompletionResult]::new('--trailing-commas', '--trailing-commas', [CompletionResultType]::ParameterName, 'Trailing commas in JSONC: keep, none, all')
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Write plain JSON, without comments and trailing commas: json')
            [CompletionResult]::new('--eol', '--eol', [CompletionResultType]::ParameterName, 'Line ends: keep, lf, crlf [default: keep]')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Rewrite files that are not formatted, and name them')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Rewrite files that are not formatted, and name them')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that are not formatted, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Remove all white space: one value per line')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'Remove all white space: one value per line')
            [CompletionResult]::new('--tab', '--tab', [CompletionResultType]::ParameterName, 'Indent by one tab per level')
            [CompletionResult]::new('--jsonl', '--jsonl', [CompletionResultType]::ParameterName, 'JSON Lines: every value minified, on a line of its own')
            [CompletionResult]::new('--no-editorconfig', '--no-editorconfig', [CompletionResultType]::ParameterName, 'Ignore .editorconfig files')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort object members by key')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort object members by key')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Escape all non-ASCII characters as \u escapes')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Escape all non-ASCII characters as \u escapes')
            [CompletionResult]::new('--html-safe', '--html-safe', [CompletionResultType]::ParameterName, 'Escape `<`, `>`, `&`, U+2028 and U+2029, for JSON inside HTML')
            [CompletionResult]::new('--canonical', '--canonical', [CompletionResultType]::ParameterName, 'Write the canonical form of RFC 8785, for signatures and hashes')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Write all values, of one or several inputs, as one array')
            [CompletionResult]::new('--slurp', '--slurp', [CompletionResultType]::ParameterName, 'Write all values, of one or several inputs, as one array')
            [CompletionResult]::new('--unslurp', '--unslurp', [CompletionResultType]::ParameterName, 'Write the elements of arrays as JSON Lines, the reverse of --slurp')
            [CompletionResult]::new('--skip-invalid', '--skip-invalid', [CompletionResultType]::ParameterName, 'JSON Lines: report invalid records as warnings, and ignore them in the exit code')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;fix' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Also make changes that are guesses, and list them on standard error')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also make changes that are guesses, and list them on standard error')
            [CompletionResult]::new('--partial', '--partial', [CompletionResultType]::ParameterName, 'Print or write what could be repaired, even if errors are left')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;get' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'A path; may be repeated. All positional arguments are then files')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'A path; may be repeated. All positional arguments are then files')
            [CompletionResult]::new('--columns', '--columns', [CompletionResultType]::ParameterName, 'Print one row per match: the values at these paths, as TSV')
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Print VALUE where a path has no match')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Print only the first N matches of each file')
            [CompletionResult]::new('--order', '--order', [CompletionResultType]::ParameterName, 'Order of matches: given, document, standard')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print strings without quotes and escapes')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Like --raw, without a newline after each value')
            [CompletionResult]::new('--join', '--join', [CompletionResultType]::ParameterName, 'Like --raw, without a newline after each value')
            [CompletionResult]::new('--raw-output0', '--raw-output0', [CompletionResultType]::ParameterName, 'Like --raw, with a NUL instead of a newline after each value, for `xargs -0`')
            [CompletionResult]::new('--tsv', '--tsv', [CompletionResultType]::ParameterName, 'Rows as tab-separated values')
            [CompletionResult]::new('--csv', '--csv', [CompletionResultType]::ParameterName, 'Rows as comma-separated values, quoted by RFC 4180')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Rows as JSON arrays, one per line')
            [CompletionResult]::new('--table', '--table', [CompletionResultType]::ParameterName, 'Rows as an aligned table with a header')
            [CompletionResult]::new('--header', '--header', [CompletionResultType]::ParameterName, 'Print a first row with the names of the columns')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Print each value minified, on one line')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'Print each value minified, on one line')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Print the exact bytes of each value')
            [CompletionResult]::new('--with-path', '--with-path', [CompletionResultType]::ParameterName, 'Print the path of each value and a tab before it')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Print the file name before each value, the default with several files; implies one line per value')
            [CompletionResult]::new('--with-filename', '--with-filename', [CompletionResultType]::ParameterName, 'Print the file name before each value, the default with several files; implies one line per value')
            [CompletionResult]::new('--no-filename', '--no-filename', [CompletionResultType]::ParameterName, 'Never print file names')
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Print the type of each value')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Print the length of each value')
            [CompletionResult]::new('--keys', '--keys', [CompletionResultType]::ParameterName, 'Print the keys of objects and the indices of arrays, one per line')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print the number of matches per path and file')
            [CompletionResult]::new('--locate', '--locate', [CompletionResultType]::ParameterName, 'Print where each value begins: FILE:LINE:COLUMN')
            [CompletionResult]::new('--exists', '--exists', [CompletionResultType]::ParameterName, 'Print no values; the exit code tells whether every path has a match')
            [CompletionResult]::new('--first', '--first', [CompletionResultType]::ParameterName, 'Print only the first match of each file')
            [CompletionResult]::new('--lazy', '--lazy', [CompletionResultType]::ParameterName, 'Stop at the last match needed; the rest of the input is neither read nor checked')
            [CompletionResult]::new('--skip-invalid', '--skip-invalid', [CompletionResultType]::ParameterName, 'Report invalid records of JSON Lines as warnings')
            [CompletionResult]::new('--no-messages', '--no-messages', [CompletionResultType]::ParameterName, 'Do not report which path has no match')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;set' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Read the value from FILE; `-` is standard input')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('--string', '--string', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--parents', '--parents', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--existing', '--existing', [CompletionResultType]::ParameterName, 'Create nothing: only values that exist are changed')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--missing-ok', '--missing-ok', [CompletionResultType]::ParameterName, 'Exit with 0 where a path has no match')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;append' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Read the value from FILE; `-` is standard input')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('--string', '--string', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--parents', '--parents', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--existing', '--existing', [CompletionResultType]::ParameterName, 'Create nothing: only values that exist are changed')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--missing-ok', '--missing-ok', [CompletionResultType]::ParameterName, 'Exit with 0 where a path has no match')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;del' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--missing-ok', '--missing-ok', [CompletionResultType]::ParameterName, 'Exit with 0 where a path has no match')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;edit' {
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Set a value')
            [CompletionResult]::new('--append', '--append', [CompletionResultType]::ParameterName, 'Add a value to the end of an array')
            [CompletionResult]::new('--insert', '--insert', [CompletionResultType]::ParameterName, 'Add a value before the element at an index, or as a member')
            [CompletionResult]::new('--del', '--del', [CompletionResultType]::ParameterName, 'Remove values')
            [CompletionResult]::new('--move', '--move', [CompletionResultType]::ParameterName, 'Move a value')
            [CompletionResult]::new('--copy', '--copy', [CompletionResultType]::ParameterName, 'Copy a value')
            [CompletionResult]::new('--test', '--test', [CompletionResultType]::ParameterName, 'Fail unless the value is equal; numbers are compared exactly')
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('--string', '--string', [CompletionResultType]::ParameterName, 'VALUE is the text of a string')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'VALUE is JSON, also where a string would become something else')
            [CompletionResult]::new('-p', '-p', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--parents', '--parents', [CompletionResultType]::ParameterName, 'Create missing objects on the way')
            [CompletionResult]::new('--existing', '--existing', [CompletionResultType]::ParameterName, 'Create nothing: only values that exist are changed')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--missing-ok', '--missing-ok', [CompletionResultType]::ParameterName, 'Exit with 0 where a path has no match')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;locate' {
            [CompletionResult]::new('--offset', '--offset', [CompletionResultType]::ParameterName, 'The position as a byte offset from 0, instead of line and column')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--dot', '--dot', [CompletionResultType]::ParameterName, 'Print a dot path, for `jsonx get` (the default)')
            [CompletionResult]::new('--jsonpath', '--jsonpath', [CompletionResultType]::ParameterName, 'Print a normalized JSONPath (RFC 9535)')
            [CompletionResult]::new('--pointer', '--pointer', [CompletionResultType]::ParameterName, 'Print a JSON Pointer (RFC 6901)')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;convert' {
            [CompletionResult]::new('--to', '--to', [CompletionResultType]::ParameterName, 'Format of the output: msgpack, json [default: the other one]')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Format of the input: auto, json, jsonl, stream, msgpack')
            [CompletionResult]::new('--big', '--big', [CompletionResultType]::ParameterName, 'What a number beyond 64 bits becomes: error, float (the nearest double), string')
            [CompletionResult]::new('--bin', '--bin', [CompletionResultType]::ParameterName, 'What binary data becomes: base64, hex, error')
            [CompletionResult]::new('--nonfinite', '--nonfinite', [CompletionResultType]::ParameterName, 'What NaN and infinities become: error, null')
            [CompletionResult]::new('--keys', '--keys', [CompletionResultType]::ParameterName, 'What a key that is not a string becomes: error, stringify (its text as a value)')
            [CompletionResult]::new('--indent', '--indent', [CompletionResultType]::ParameterName, 'Indent by N spaces per level, instead of one line per value')
            [CompletionResult]::new('--width', '--width', [CompletionResultType]::ParameterName, 'Keep arrays and objects on one line where they fit in N characters')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--float32', '--float32', [CompletionResultType]::ParameterName, 'Write a float in single precision where that is the same number')
            [CompletionResult]::new('--unwrap', '--unwrap', [CompletionResultType]::ParameterName, 'Write the elements of a top-level array as a sequence of values, in constant memory')
            [CompletionResult]::new('--tab', '--tab', [CompletionResultType]::ParameterName, 'Indent by one tab per level')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort object members by key')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort object members by key')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Escape all non-ASCII characters as \u escapes')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Escape all non-ASCII characters as \u escapes')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;diff' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'What to print: human, patch, merge, json')
            [CompletionResult]::new('--key', '--key', [CompletionResultType]::ParameterName, 'Match elements of arrays of objects by the member NAME; may be repeated')
            [CompletionResult]::new('--set', '--set', [CompletionResultType]::ParameterName, 'Ignore the order and repetitions of elements in the arrays at PATH; may be repeated')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Leave out the values at PATH; may be repeated')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--exact', '--exact', [CompletionResultType]::ParameterName, 'Compare numbers as they are written: `1` and `1.0` differ')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;patch' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Only process files with these extensions (directories only) [default: json, jsonc, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Only process files that match GLOB, or with `!` do not')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Skip files and directories that match GLOB')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Also process the files and directories listed in FILE, one per line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Same, separated by NUL bytes, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What inputs (that match GLOB) hold: auto, json, jsonc, jsonl, stream')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Maximum nesting depth; validate takes 0 for no limit')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'Do not fail when no files match')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Include hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Include files that .gitignore, .ignore and .jsonxignore exclude, and the directories node_modules, target, vendor and .venv')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--merge', '--merge', [CompletionResultType]::ParameterName, 'Apply PATCH as a JSON Merge Patch, whatever value it is')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Change files in place, atomically')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'List files that would change, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print a unified diff of what would change, and exit with 1 if anything would')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw frames of messages with Unicode box characters')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;explain' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colors: auto, always, never')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: one per processor]')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing; the exit code tells the result')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Report the result for every file on standard error')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            break
        }
        'jsonx;help' {
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that files are valid JSON (RFC 8259, UTF-8)')
            [CompletionResult]::new('fmt', 'fmt', [CompletionResultType]::ParameterValue, 'Format JSON: change white space and nothing else')
            [CompletionResult]::new('fix', 'fix', [CompletionResultType]::ParameterValue, 'Repair broken JSON')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print the values that a path selects')
            [CompletionResult]::new('set', 'set', [CompletionResultType]::ParameterValue, 'Set one value: change it where it is, or add it')
            [CompletionResult]::new('append', 'append', [CompletionResultType]::ParameterValue, 'Add one value to the end of an array')
            [CompletionResult]::new('del', 'del', [CompletionResultType]::ParameterValue, 'Remove values, with their keys and commas')
            [CompletionResult]::new('edit', 'edit', [CompletionResultType]::ParameterValue, 'Make several edits, in order, in one write')
            [CompletionResult]::new('locate', 'locate', [CompletionResultType]::ParameterValue, 'Print the path of the value at a position: the inverse of `jsonx get --locate`')
            [CompletionResult]::new('convert', 'convert', [CompletionResultType]::ParameterValue, 'Convert JSON to MessagePack and back')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Print what has changed between two JSON documents')
            [CompletionResult]::new('patch', 'patch', [CompletionResultType]::ParameterValue, 'Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396)')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain the code of a finding, with a wrong and a right example')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'jsonx;help;validate' {
            break
        }
        'jsonx;help;fmt' {
            break
        }
        'jsonx;help;fix' {
            break
        }
        'jsonx;help;get' {
            break
        }
        'jsonx;help;set' {
            break
        }
        'jsonx;help;append' {
            break
        }
        'jsonx;help;del' {
            break
        }
        'jsonx;help;edit' {
            break
        }
        'jsonx;help;locate' {
            break
        }
        'jsonx;help;convert' {
            break
        }
        'jsonx;help;diff' {
            break
        }
        'jsonx;help;patch' {
            break
        }
        'jsonx;help;explain' {
            break
        }
        'jsonx;help;completions' {
            break
        }
        'jsonx;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
