
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
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print the version; with --verbose, also the kernel in use')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version; with --verbose, also the kernel in use')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say more')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('validate', 'validate', [CompletionResultType]::ParameterValue, 'Check that files are valid JSON (RFC 8259, in UTF-8)')
            [CompletionResult]::new('fmt', 'fmt', [CompletionResultType]::ParameterValue, 'Format JSON: white space changes, and nothing else')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'Print the values that a path leads to')
            [CompletionResult]::new('locate', 'locate', [CompletionResultType]::ParameterValue, 'Print the path of what stands at a place: the way back from `jsonx get --locate`, an editor or a log line')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Say what the code of a finding means, with a wrong and a right example')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a script that completes commands, options and files on Tab')
            break
        }
        'jsonx;validate' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Take these files of a directory, by how their names end [default: json, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Take the files and directories that stand in FILE, one on each line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL byte after each name, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Threads, for many files or a large one [default: one for each processor]')
            [CompletionResult]::new('--reporter', '--reporter', [CompletionResultType]::ParameterName, 'How findings are printed: human (with source lines), concise (one line each), json (one record each, one for each file, one at the end), sarif, github (annotations), gitlab (Code Quality), junit, checkstyle, rdjson (reviewdog). With =FILE, into that file. May be given several times [default: human; in GitHub Actions, human and github]')
            [CompletionResult]::new('--allow', '--allow', [CompletionResultType]::ParameterName, 'Leave a lint out: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Take what a lint finds for a warning, which is the default. Of these options a later one overrides an earlier')
            [CompletionResult]::new('--deny', '--deny', [CompletionResultType]::ParameterName, 'Take what a lint finds for an error')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Deepest nesting that is accepted; 0 is no limit (validate only)')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours in messages: auto, always, never')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'It is no mistake if there are no files at all')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Also hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Also what .gitignore and .ignore files exclude')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'The same as --deny all')
            [CompletionResult]::new('--fail-fast', '--fail-fast', [CompletionResultType]::ParameterName, 'Stop at the first file that is not valid')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'List every file with its verdict on standard error')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'List every file with its verdict on standard error')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing at all; the exit code says it')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print nothing at all; the exit code says it')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw the frames of messages with the box characters of Unicode')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'jsonx;fmt' {
            [CompletionResult]::new('--ext', '--ext', [CompletionResultType]::ParameterName, 'Take these files of a directory, by how their names end [default: json, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif]')
            [CompletionResult]::new('-g', '-g', [CompletionResultType]::ParameterName, 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore')
            [CompletionResult]::new('--glob', '--glob', [CompletionResultType]::ParameterName, 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Take the files and directories that stand in FILE, one on each line; `-` is standard input')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'The same with a NUL byte after each name, as `find -print0` and `git ls-files -z` write them')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Threads, for many files or a large one [default: one for each processor]')
            [CompletionResult]::new('--indent', '--indent', [CompletionResultType]::ParameterName, 'Spaces for each level of nesting; 0 is the same as --compact')
            [CompletionResult]::new('--width', '--width', [CompletionResultType]::ParameterName, 'Put an array or object on one line where that has at most N characters: `[1, 2, 3]`, `{"a": 1, "b": 2}`')
            [CompletionResult]::new('--eol', '--eol', [CompletionResultType]::ParameterName, 'How lines end: lf, crlf')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Deepest nesting that is accepted; 0 is no limit (validate only)')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours in messages: auto, always, never')
            [CompletionResult]::new('--allow-no-files', '--allow-no-files', [CompletionResultType]::ParameterName, 'It is no mistake if there are no files at all')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Also hidden files and directories')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Also what .gitignore and .ignore files exclude')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links in directories')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Rewrite the files that are not formatted, each as a whole or not at all')
            [CompletionResult]::new('--write', '--write', [CompletionResultType]::ParameterName, 'Rewrite the files that are not formatted, each as a whole or not at all')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Print the names of files that are not formatted, and exit with 1 if there are any')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Print what formatting would change, as `patch -p0` and `git apply -p0` take it, and exit with 1 if it is anything')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say on standard error what was done with, or is to be said of, every file')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say on standard error what was done with, or is to be said of, every file')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no names, no differences and no messages; the exit code says it')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no names, no differences and no messages; the exit code says it')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'No white space at all: each value on one line')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'No white space at all: each value on one line')
            [CompletionResult]::new('--tab', '--tab', [CompletionResultType]::ParameterName, 'One tab for each level of nesting')
            [CompletionResult]::new('--jsonl', '--jsonl', [CompletionResultType]::ParameterName, 'JSON Lines: every value at the root compact, on a line of its own')
            [CompletionResult]::new('-S', '-S ', [CompletionResultType]::ParameterName, 'Sort the members of objects by the code points of their keys; those with equal keys keep their order. Needs memory for the largest object that is not inside another one')
            [CompletionResult]::new('--sort-keys', '--sort-keys', [CompletionResultType]::ParameterName, 'Sort the members of objects by the code points of their keys; those with equal keys keep their order. Needs memory for the largest object that is not inside another one')
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Write characters beyond ASCII as \u escapes')
            [CompletionResult]::new('--ascii', '--ascii', [CompletionResultType]::ParameterName, 'Write characters beyond ASCII as \u escapes')
            [CompletionResult]::new('--html-safe', '--html-safe', [CompletionResultType]::ParameterName, 'Write `<`, `>`, `&`, U+2028 and U+2029 as \u escapes, for JSON inside HTML')
            [CompletionResult]::new('--canonical', '--canonical', [CompletionResultType]::ParameterName, 'The canonical form of RFC 8785, for signatures and hashes: exactly its bytes, without a newline at the end; several values with a newline between them. Duplicate keys, halves of surrogate pairs, and numbers that would have to be rounded are refused')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw the frames of messages with the box characters of Unicode')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'jsonx;get' {
            [CompletionResult]::new('-e', '-e', [CompletionResultType]::ParameterName, 'Another path; all arguments that are no options are files then')
            [CompletionResult]::new('--path', '--path', [CompletionResultType]::ParameterName, 'Another path; all arguments that are no options are files then')
            [CompletionResult]::new('--default', '--default', [CompletionResultType]::ParameterName, 'Print this where a path has no match; JSON, or any text with --raw')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Print the first N matches of each file only')
            [CompletionResult]::new('--order', '--order', [CompletionResultType]::ParameterName, 'In which order matches come: given (path by path), document (of all paths, as they stand in the text, as they are found), standard (as given, and what `..` finds in the order of RFC 9535, held until the end of the value)')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Threads for large files [default: as many as there are processors]')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Deepest nesting that is accepted; 0 is no limit (validate only)')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours in messages: auto, always, never')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Print strings as the text they stand for, without quotes; half of a surrogate pair becomes U+FFFD, with a warning')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print strings as the text they stand for, without quotes; half of a surrogate pair becomes U+FFFD, with a warning')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Like --raw, and no newline after each value')
            [CompletionResult]::new('--join', '--join', [CompletionResultType]::ParameterName, 'Like --raw, and no newline after each value')
            [CompletionResult]::new('--raw-output0', '--raw-output0', [CompletionResultType]::ParameterName, 'Like --raw, and a NUL instead of the newline, for `xargs -0`; a string that holds a NUL is an error')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'No white space in values: each on one line')
            [CompletionResult]::new('--compact', '--compact', [CompletionResultType]::ParameterName, 'No white space in values: each on one line')
            [CompletionResult]::new('--source', '--source', [CompletionResultType]::ParameterName, 'Print the bytes of the value exactly as they stand in the input')
            [CompletionResult]::new('--with-path', '--with-path', [CompletionResultType]::ParameterName, 'Before each value its normalized path (RFC 9535) and a tab; values take one line')
            [CompletionResult]::new('-H', '-H ', [CompletionResultType]::ParameterName, 'Before each value the name of its file, as grep has it; that is so with several FILEs. Values take one line')
            [CompletionResult]::new('--with-filename', '--with-filename', [CompletionResultType]::ParameterName, 'Before each value the name of its file, as grep has it; that is so with several FILEs. Values take one line')
            [CompletionResult]::new('--no-filename', '--no-filename', [CompletionResultType]::ParameterName, 'No names of files, even with several of them')
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Instead of values, what they are: object, array, string, number, boolean or null')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Instead of values, how long they are: characters (code points) of a string, elements of an array, different keys of an object; null for what has no length')
            [CompletionResult]::new('--keys', '--keys', [CompletionResultType]::ParameterName, 'Instead of values, their keys, one on each line, each once, in the order of the text; of arrays, the indices')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Instead of values, how many there are of each path, for each file')
            [CompletionResult]::new('--locate', '--locate', [CompletionResultType]::ParameterName, 'Instead of values, where they begin: FILE:LINE:COLUMN')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print nothing: the exit code says whether every path has a match')
            [CompletionResult]::new('--exists', '--exists', [CompletionResultType]::ParameterName, 'Print nothing: the exit code says whether every path has a match')
            [CompletionResult]::new('--first', '--first', [CompletionResultType]::ParameterName, 'Print the first match of each file only')
            [CompletionResult]::new('--lazy', '--lazy', [CompletionResultType]::ParameterName, 'Stop at the answer: what follows it is neither read nor checked. Of a key that stands twice, the first counts')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Do not say which path has no match, and where it stopped')
            [CompletionResult]::new('--no-messages', '--no-messages', [CompletionResultType]::ParameterName, 'Do not say which path has no match, and where it stopped')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw the frames of messages with the box characters of Unicode')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'jsonx;locate' {
            [CompletionResult]::new('--offset', '--offset', [CompletionResultType]::ParameterName, 'The place in bytes, from 0, instead of line and column')
            [CompletionResult]::new('--input', '--input', [CompletionResultType]::ParameterName, 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Deepest nesting that is accepted; 0 is no limit (validate only)')
            [CompletionResult]::new('--max-errors', '--max-errors', [CompletionResultType]::ParameterName, 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours in messages: auto, always, never')
            [CompletionResult]::new('--dot', '--dot', [CompletionResultType]::ParameterName, 'As a dot path, for `jsonx get`: this is the default')
            [CompletionResult]::new('--jsonpath', '--jsonpath', [CompletionResultType]::ParameterName, 'As a normalized path of JSONPath (RFC 9535)')
            [CompletionResult]::new('--pointer', '--pointer', [CompletionResultType]::ParameterName, 'As a JSON Pointer (RFC 6901)')
            [CompletionResult]::new('--unicode', '--unicode', [CompletionResultType]::ParameterName, 'Draw the frames of messages with the box characters of Unicode')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'jsonx;explain' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: auto, always, never')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'jsonx;completions' {
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
