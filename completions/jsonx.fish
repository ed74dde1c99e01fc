# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_jsonx_global_optspecs
    string join \n q/quiet v/verbose color= threads= h/help V/version
end

function __fish_jsonx_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_jsonx_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_jsonx_using_subcommand
    set -l cmd (__fish_jsonx_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c jsonx -n "__fish_jsonx_needs_command" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_needs_command" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_needs_command" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_needs_command" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_needs_command" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "validate" -d 'Check that files are valid JSON (RFC 8259, UTF-8)'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "fmt" -d 'Format JSON: change white space and nothing else'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "fix" -d 'Repair broken JSON'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "get" -d 'Print the values that a path selects'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "jq" -d 'Run a program in jq\'s language'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "set" -d 'Set the value at a path, or add it'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "append" -d 'Add one value to the end of an array'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "del" -d 'Remove values, with their keys and commas'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "edit" -d 'Make several edits, in order, in one write'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "locate" -d 'Print the path of the value at a position: the inverse of `jsonx get --locate`'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "convert" -d 'Convert JSON to MessagePack and back'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "diff" -d 'Print the differences between two JSON documents'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "patch" -d 'Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396)'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "config" -d 'Print the settings that apply to a file, and the source of each'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "lsp" -d 'Serve an editor: diagnostics, fixes, formatting and navigation over the Language Server Protocol'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "explain" -d 'Explain the code of a finding, with a wrong example and its correction'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "completions" -d 'Print a shell completion script'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l reporter -d 'Report format, with =FILE written to that file: human, concise, json, sarif, github, gitlab, junit, checkstyle, rdjson' -r -f -a "human\t'source lines and advice'
concise\t'one line per finding'
json\t'one record per finding, per file, and for the run'
sarif\t'SARIF 2.1.0'
github\t'workflow annotations'
gitlab\t'Code Quality'
junit\t'JUnit XML'
checkstyle\t'Checkstyle XML'
rdjson\t'reviewdog'"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l schema -d 'Check values with the JSON Schema in FILE, at POINTER' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l schema-map -d 'Check files that match GLOB with the schema in FILE, or files with the schemas of a catalog' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l schema-dir -d 'Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l draft -d 'The draft of the schemas, overriding their "$schema": 4, 6, 7, 2019-09 or 2020-12 [default: their "$schema", or 2020-12]' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l formats -d 'Whether "format" is checked: assert (yes), annotate (no) [default: annotate]' -r -f -a "assert\t'A string in another format is an error'
annotate\t'Formats are not checked'"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l max-steps -d 'Allow N steps for checking a value with its schema; 0 for no limit [default: 5 million, and 500 per byte]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l warn -d 'Report a lint as a warning (the default)' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l deny -d 'Report a lint as an error' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l allow -d 'Do not report a lint: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all of these; or schema/KEYWORD' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l fail-fast -d 'Stop at the first invalid file'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l fix -d 'Apply safe fixes to the files, and report the remaining errors'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l use-schema-key -d 'Check each file with the schema named by its key "$schema"'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l strict -d 'Same as --deny all'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l stdin-filename -d 'Format standard input as if it were the file NAME, for editors' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l reporter -d 'Report format of --check, with =FILE written to that file: human, concise, json, sarif, github, gitlab, junit, checkstyle, rdjson' -r -f -a "human\t'source lines and advice'
concise\t'one line per finding'
json\t'one record per finding, per file, and for the run'
sarif\t'SARIF 2.1.0'
github\t'workflow annotations'
gitlab\t'Code Quality'
junit\t'JUnit XML'
checkstyle\t'Checkstyle XML'
rdjson\t'reviewdog'"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l indent -d 'Indent by N spaces per level, or keep the indentation [default: keep]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l width -d 'Put arrays and objects on one line if they fit in N characters' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l style -d 'Layout: lines, prettier' -r -f -a "lines\t''
prettier\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l trailing-commas -d 'Trailing commas in JSONC: keep, none, all [default: keep]' -r -f -a "keep\t''
none\t''
all\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l to -d 'Write plain JSON, without comments and trailing commas: json' -r -f -a "json\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l eol -d 'Line ends: keep, lf, crlf [default: keep]' -r -f -a "keep\t''
lf\t''
crlf\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s w -l write -d 'Rewrite files that are not formatted, and list them'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l check -d 'List files that are not formatted, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s c -l compact -d 'Remove all white space: one value per line, as in JSON Lines'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l tab -d 'Indent by one tab per level'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l no-editorconfig -d 'Ignore .editorconfig files'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s S -l sort-keys -d 'Sort object members by key'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s a -l ascii -d 'Escape all non-ASCII characters as \\u escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l html-safe -d 'Escape `<`, `>`, `&`, U+2028 and U+2029, for JSON inside HTML'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l canonical -d 'Write the canonical form of RFC 8785, for signatures and hashes'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s s -l slurp -d 'Write all values, of one or several inputs, as one array'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l skip-invalid -d 'JSON Lines: report invalid records as warnings, and ignore them in the exit code'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s a -l all -d 'Also guess, and list each guess on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l partial -d 'Print or write the result even if errors remain; with --all, drop a truncated value'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand fix" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s e -l path -d 'A path; may be repeated. All positional arguments are then FILEs' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l where -d 'Print only matches for which FILTER is true' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l columns -d 'Print one row per match: the values at these paths, as TSV' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l default -d 'Print VALUE if a path has no match' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l limit -d 'Print only the first N matches of each file' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s r -l raw -d 'Print strings without quotes and escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s j -l join -d 'Like --raw, without a newline after each value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l raw-output0 -d 'Like --raw, with a NUL instead of a newline after each value, for `xargs -0`'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l tsv -d 'Rows as tab-separated values'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l csv -d 'Rows as comma-separated values, quoted by RFC 4180'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l json -d 'Rows as JSON objects, one per line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l table -d 'Rows as an aligned table with a header'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l header -d 'Print a first row with the column names'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s c -l compact -d 'Print each value minified, on one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l source -d 'Print the exact bytes of each value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l with-path -d 'Print the path of each value and a tab before the value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s H -l with-filename -d 'Print the file name before each value (the default with several files); implies one line per value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l no-filename -d 'Never print file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l type -d 'Print the type of each value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l length -d 'Print the length of each value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l keys -d 'Print the keys of objects and the indices of arrays, one per line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l count -d 'Print the number of matches per path and file'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l locate -d 'Print where each value begins: FILE:LINE:COLUMN'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l exists -d 'Print no values; the exit code shows whether every path has a match'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l tally -d 'Print each distinct value and how often it matches, most frequent first'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l stats -d 'Print the count, sum, mean, minimum and maximum of numbers'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l skip-invalid -d 'Report invalid records of JSON Lines as warnings'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l indent -d 'Indent by this many spaces, 0 to 7; 0 is -c [default: 2]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s L -l library-path -d 'Look for modules in this folder' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l arg -d 'Set $NAME to a string' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l argjson -d 'Set $NAME to a JSON value' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l slurpfile -d 'Set $NAME to an array of the values in a file' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l rawfile -d 'Set $NAME to the text of a file' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l args -d 'The arguments that follow are strings, in $ARGS.positional'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l jsonargs -d 'The arguments that follow are JSON values, in $ARGS.positional'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s n -l null-input -d 'Do not read input: run once, with null; `input` and `inputs` read'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s R -l raw-input -d 'Read each line as a string'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s s -l slurp -d 'Run once, with an array of all inputs'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s c -l compact-output -d 'Print each result on one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s r -l raw-output -d 'Print strings without quotes'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s j -l join-output -d 'Like -r, without a line feed after each result'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l raw-output0 -d 'Like -r, with NUL after each result'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s a -l ascii-output -d 'Escape all characters that are not ASCII'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s S -l sort-keys -d 'Sort the keys of objects'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s C -l color-output -d 'Color the output'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s M -l monochrome-output -d 'Do not color the output'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l tab -d 'Indent by a tab'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s e -l exit-status -d 'Let the last result determine the exit code'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s f -l from-file -d 'Read the program from the file that PROGRAM names'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l stream -d 'Read streams of paths and values: [["a",0],1]'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l stream-errors -d 'Like --stream'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l seq -d 'Separate results by the character RS, as in RFC 7464'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l unbuffered -d 'Write each result at once'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s b -l binary -d 'Accepted for compatibility'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l skip-invalid -d 'Report invalid records of JSON Lines as warnings'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand jq" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l from -d 'Read the value from FILE; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s s -l string -d 'Treat VALUE as a string'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s j -l json -d 'Treat VALUE as JSON, even if it replaces a string with another type'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s p -l parents -d 'Create missing objects and arrays on the way'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l existing -d 'Only change existing values'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l missing-ok -d 'Exit with 0 even if a path has no match'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand set" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l from -d 'Read the value from FILE; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s s -l string -d 'Treat VALUE as a string'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s j -l json -d 'Treat VALUE as JSON, even if it replaces a string with another type'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s p -l parents -d 'Create missing objects and arrays on the way'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l existing -d 'Only change existing values'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l missing-ok -d 'Exit with 0 even if a path has no match'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand append" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l with-comments -d 'Also remove the comments directly above a removed value'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l missing-ok -d 'Exit with 0 even if a path has no match'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand del" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l set -d 'Set a value' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l append -d 'Add a value to the end of an array' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l insert -d 'Add a value before the element at an index, or as a member' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l del -d 'Remove values' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l move -d 'Move a value; if FROM may have many matches, TO is their new key, as in `.items[].old .new`' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l copy -d 'Copy a value' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l test -d 'Fail unless the value is equal; numbers are compared exactly' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s s -l string -d 'Treat VALUE as a string'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s j -l json -d 'Treat VALUE as JSON, even if it replaces a string with another type'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s p -l parents -d 'Create missing objects and arrays on the way'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l existing -d 'Only change existing values'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l missing-ok -d 'Exit with 0 even if a path has no match'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -l with-comments -d 'Also remove the comments directly above a removed value'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand edit" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l offset -d 'The position as a byte offset from 0, instead of line and column' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l dot -d 'Print a dot path, for `jsonx get` (the default)'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l jsonpath -d 'Print a normalized JSONPath (RFC 9535)'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l pointer -d 'Print a JSON Pointer (RFC 6901)'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l to -d 'Format of the output: msgpack, json [default: the other one]' -r -f -a "json\t''
msgpack\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l from -d 'Format of the input: auto, json, jsonl, stream, msgpack' -r -f -a "auto\t''
json\t''
jsonl\t''
stream\t''
msgpack\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l big -d 'What a number beyond 64 bits becomes: error, float (the nearest double), string' -r -f -a "error\t''
float\t''
string\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l float32 -d 'Write a float in single precision if that is the same number' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l bin -d 'What binary data becomes: base64, hex, error' -r -f -a "base64\t''
hex\t''
error\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l nonfinite -d 'What NaN and infinities become: error, null' -r -f -a "error\t''
null\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l keys -d 'What a key that is not a string becomes: error, stringify (the text of the value)' -r -f -a "error\t''
stringify\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l indent -d 'Indent by N spaces per level, instead of one line per value' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l width -d 'Put arrays and objects on one line if they fit in N characters' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l unwrap -d 'Write the elements of a top-level array as a sequence of values, in constant memory'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l tab -d 'Indent by one tab per level'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s S -l sort-keys -d 'Sort object members by key'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s a -l ascii -d 'Escape all non-ASCII characters as \\u escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand convert" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l format -d 'Output format: human, patch, merge, json' -r -f -a "human\t''
patch\t''
merge\t''
json\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l key -d 'Match elements of arrays of objects by the member at KEY; may be repeated' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l set -d 'Ignore the order and repetitions of elements in the arrays at PATH; may be repeated' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l ignore -d 'Ignore the values at PATH; may be repeated' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l exact -d 'Compare numbers as written: `1` and `1.0` differ'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand diff" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l ext -d 'Only process files with these extensions (directories only) [default: json, jsonc, json5, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif, code-workspace, and the names of `jsonx explain jsonc`]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s g -l glob -d 'Only process files that match GLOB, or with `!`, files that do not' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l exclude -d 'Skip files and directories that match GLOB' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l files-from -d 'Also process the files and directories listed in FILE, one per line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l files0-from -d 'Like --files-from, with NUL as the separator, for `find -print0` and `git ls-files -z`' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l allow-no-files -d 'Do not fail when no files match'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l no-hidden -d 'Skip hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l hidden -d 'The default; accepted because ripgrep has the option'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l no-ignore -d 'Include files excluded by .gitignore, .ignore, .jsonxignore and jsonx.json, and the directories node_modules, target, vendor and .venv'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l merge -d 'Read PATCH as a JSON Merge Patch, whatever its type'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s w -l write -d 'Change files in place, atomically'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l check -d 'List files that would change, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l diff -d 'Print a unified diff of the changes, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand patch" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l indent -d 'Indent by N spaces per level, or keep the indentation [default: keep]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l width -d 'Put arrays and objects on one line if they fit in N characters' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l style -d 'Layout: lines, prettier' -r -f -a "lines\t''
prettier\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l trailing-commas -d 'Trailing commas in JSONC: keep, none, all [default: keep]' -r -f -a "keep\t''
none\t''
all\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l to -d 'Write plain JSON, without comments and trailing commas: json' -r -f -a "json\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l eol -d 'Line ends: keep, lf, crlf [default: keep]' -r -f -a "keep\t''
lf\t''
crlf\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l schema -d 'Check values with the JSON Schema in FILE, at POINTER' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l schema-map -d 'Check files that match GLOB with the schema in FILE, or files with the schemas of a catalog' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l schema-dir -d 'Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l draft -d 'The draft of the schemas, overriding their "$schema": 4, 6, 7, 2019-09 or 2020-12 [default: their "$schema", or 2020-12]' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l formats -d 'Whether "format" is checked: assert (yes), annotate (no) [default: annotate]' -r -f -a "assert\t'A string in another format is an error'
annotate\t'Formats are not checked'"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l max-steps -d 'Allow N steps for checking a value with its schema; 0 for no limit [default: 5 million, and 500 per byte]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l warn -d 'Report a lint as a warning (the default)' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l deny -d 'Report a lint as an error' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l allow -d 'Do not report a lint: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all of these; or schema/KEYWORD' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s c -l compact -d 'Remove all white space: one value per line, as in JSON Lines'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l tab -d 'Indent by one tab per level'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l no-editorconfig -d 'Ignore .editorconfig files'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s S -l sort-keys -d 'Sort object members by key'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s a -l ascii -d 'Escape all non-ASCII characters as \\u escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l html-safe -d 'Escape `<`, `>`, `&`, U+2028 and U+2029, for JSON inside HTML'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l canonical -d 'Write the canonical form of RFC 8785, for signatures and hashes'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l use-schema-key -d 'Check each file with the schema named by its key "$schema"'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l strict -d 'Same as --deny all'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand config" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l indent -d 'Indent by N spaces per level, or keep the indentation [default: keep]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l width -d 'Put arrays and objects on one line if they fit in N characters' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l style -d 'Layout: lines, prettier' -r -f -a "lines\t''
prettier\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l trailing-commas -d 'Trailing commas in JSONC: keep, none, all [default: keep]' -r -f -a "keep\t''
none\t''
all\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l to -d 'Write plain JSON, without comments and trailing commas: json' -r -f -a "json\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l eol -d 'Line ends: keep, lf, crlf [default: keep]' -r -f -a "keep\t''
lf\t''
crlf\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l schema -d 'Check values with the JSON Schema in FILE, at POINTER' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l schema-map -d 'Check files that match GLOB with the schema in FILE, or files with the schemas of a catalog' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l schema-dir -d 'Look up the URLs of schemas in DIR: as DIR/HOST/PATH or DIR/PATH, or by "$id"' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l draft -d 'The draft of the schemas, overriding their "$schema": 4, 6, 7, 2019-09 or 2020-12 [default: their "$schema", or 2020-12]' -r -f -a "4\t''
6\t''
7\t''
2019-09\t''
2020-12\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l formats -d 'Whether "format" is checked: assert (yes), annotate (no) [default: annotate]' -r -f -a "assert\t'A string in another format is an error'
annotate\t'Formats are not checked'"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l max-steps -d 'Allow N steps for checking a value with its schema; 0 for no limit [default: 5 million, and 500 per byte]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l warn -d 'Report a lint as a warning (the default)' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l deny -d 'Report a lint as an error' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l allow -d 'Do not report a lint: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all of these; or schema/KEYWORD' -r -f -a "duplicate-key\t'A key occurs twice in one object'
unsafe-integer\t'An integer is beyond 2^53, where JavaScript and other readers that use doubles cannot tell it from its neighbors'
number-range\t'A number is too large for a double'
lone-surrogate\t''
byte-order-mark\t'The file starts with the bytes EF BB BF, the byte-order mark in UTF-8'
all\t'All lints'
schema\t'All rules of schemas'
schema/additionalItems\t''
schema/additionalProperties\t''
schema/anyOf\t''
schema/const\t''
schema/contains\t''
schema/contentEncoding\t''
schema/contentMediaType\t''
schema/dependencies\t''
schema/dependentRequired\t''
schema/enum\t''
schema/exclusiveMaximum\t''
schema/exclusiveMinimum\t''
schema/false\t''
schema/format\t''
schema/items\t''
schema/limit\t''
schema/maxContains\t''
schema/maxItems\t''
schema/maxLength\t''
schema/maxProperties\t''
schema/maximum\t''
schema/minContains\t''
schema/minItems\t''
schema/minLength\t''
schema/minProperties\t''
schema/minimum\t''
schema/multipleOf\t''
schema/not\t''
schema/oneOf\t''
schema/pattern\t''
schema/propertyNames\t''
schema/required\t''
schema/type\t''
schema/unencoded\t''
schema/unevaluatedItems\t''
schema/unevaluatedProperties\t''
schema/uniqueItems\t''
schema/unknown-keyword\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l input -d 'Format of inputs (of GLOB): auto, json, jsonc, json5, jsonl, stream' -r -f -a "auto\t'By the name of the input'
json\t'One value'
jsonc\t'One value, with comments and trailing commas'
json5\t'One value, in JSON5'
jsonl\t'One value per line'
stream\t'Any number of values, one after another'"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l max-depth -d 'Maximum nesting depth; validate takes 0 for no limit [default: 10000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l max-errors -d 'Maximum number of findings per file; 0 shows all [default: 20, in machine-readable reports 1000]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l config -d 'Read settings from FILE instead of jsonx.json' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l stdio -d 'Accepted because some clients pass it: standard input and output are always used'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s c -l compact -d 'Remove all white space: one value per line, as in JSON Lines'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l tab -d 'Indent by one tab per level'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l no-editorconfig -d 'Ignore .editorconfig files'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s S -l sort-keys -d 'Sort object members by key'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s a -l ascii -d 'Escape all non-ASCII characters as \\u escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l html-safe -d 'Escape `<`, `>`, `&`, U+2028 and U+2029, for JSON inside HTML'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l canonical -d 'Write the canonical form of RFC 8785, for signatures and hashes'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l use-schema-key -d 'Check each file with the schema named by its key "$schema"'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l strict -d 'Same as --deny all'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l unicode -d 'Draw frames of messages with Unicode box characters'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -l no-config -d 'Do not read jsonx.json'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand lsp" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -l color -d 'When to use colors: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -l threads -d 'Number of threads, at most 1024 [default: one per processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -s q -l quiet -d 'Suppress errors, warnings and file names'
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -s v -l verbose -d 'Report the result for every file on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -s V -l version -d 'Print version'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "validate" -d 'Check that files are valid JSON (RFC 8259, UTF-8)'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "fmt" -d 'Format JSON: change white space and nothing else'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "fix" -d 'Repair broken JSON'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "get" -d 'Print the values that a path selects'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "jq" -d 'Run a program in jq\'s language'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "set" -d 'Set the value at a path, or add it'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "append" -d 'Add one value to the end of an array'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "del" -d 'Remove values, with their keys and commas'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "edit" -d 'Make several edits, in order, in one write'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "locate" -d 'Print the path of the value at a position: the inverse of `jsonx get --locate`'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "convert" -d 'Convert JSON to MessagePack and back'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "diff" -d 'Print the differences between two JSON documents'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "patch" -d 'Apply a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396)'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "config" -d 'Print the settings that apply to a file, and the source of each'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "lsp" -d 'Serve an editor: diagnostics, fixes, formatting and navigation over the Language Server Protocol'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "explain" -d 'Explain the code of a finding, with a wrong example and its correction'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "completions" -d 'Print a shell completion script'
complete -c jsonx -n "__fish_jsonx_using_subcommand help; and not __fish_seen_subcommand_from validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -f -a "empty-input wrong-encoding wrong-format leading-text byte-order-mark invalid-utf8 merge-conflict syntax-error deep-nesting trailing-comma extra-comma missing-comma missing-colon wrong-separator missing-value missing-key colon-in-array unclosed-bracket mismatched-bracket extra-bracket missing-open-bracket wrong-bracket multiple-values trailing-content truncated-input unexpected-text expression ellipsis template-placeholder comment unclosed-comment unopened-comment stray-slash duplicate-key invalid-whitespace single-quotes backtick-string smart-quotes triple-quotes string-prefix unterminated-string unescaped-quote newline-in-string control-character bad-escape bad-unicode-escape lone-surrogate unquoted-key unquoted-value wrong-literal non-finite-number leading-zero leading-plus missing-digits non-decimal-number digit-separator bad-number unsafe-integer number-range schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword config jsonc checking ci clusters comments comparison differences editing editors exit-codes formatting library messagepack paths programs repair schemas settings"
