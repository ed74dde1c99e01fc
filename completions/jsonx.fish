# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_jsonx_global_optspecs
    string join \n V/version v/verbose h/help
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

complete -c jsonx -n "__fish_jsonx_needs_command" -s V -l version -d 'Print the version; with --verbose, also the kernel in use'
complete -c jsonx -n "__fish_jsonx_needs_command" -s v -l verbose -d 'Say more'
complete -c jsonx -n "__fish_jsonx_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "validate" -d 'Check that files are valid JSON (RFC 8259, in UTF-8)'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "fmt" -d 'Format JSON: white space changes, and nothing else'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "get" -d 'Print the values that a path leads to'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "locate" -d 'Print the path of what stands at a place: the way back from `jsonx get --locate`, an editor or a log line'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "explain" -d 'Say what the code of a finding means, with a wrong and a right example'
complete -c jsonx -n "__fish_jsonx_needs_command" -f -a "completions" -d 'Print a script that completes commands, options and files on Tab'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l ext -d 'Take these files of a directory, by how their names end [default: json, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s g -l glob -d 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l files-from -d 'Take the files and directories that stand in FILE, one on each line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l files0-from -d 'The same with a NUL byte after each name, as `find -print0` and `git ls-files -z` write them' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l threads -d 'Threads, for many files or a large one [default: one for each processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l reporter -d 'How findings are printed: human (with source lines), concise (one line each), json (one record each, one for each file, one at the end), sarif, github (annotations), gitlab (Code Quality), junit, checkstyle, rdjson (reviewdog). With =FILE, into that file. May be given several times [default: human; in GitHub Actions, human and github]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l allow -d 'Leave a lint out: duplicate-key, unsafe-integer, number-range, lone-surrogate, byte-order-mark, or all' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l warn -d 'Take what a lint finds for a warning, which is the default. Of these options a later one overrides an earlier' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l deny -d 'Take what a lint finds for an error' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l input -d 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)' -r -f -a "auto\t''
json\t''
jsonl\t''
stream\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l max-depth -d 'Deepest nesting that is accepted; 0 is no limit (validate only)' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l max-errors -d 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l color -d 'Colours in messages: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l allow-no-files -d 'It is no mistake if there are no files at all'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l hidden -d 'Also hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l no-ignore -d 'Also what .gitignore and .ignore files exclude'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l strict -d 'The same as --deny all'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l fail-fast -d 'Stop at the first file that is not valid'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s v -l verbose -d 'List every file with its verdict on standard error'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s q -l quiet -d 'Print nothing at all; the exit code says it'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -l unicode -d 'Draw the frames of messages with the box characters of Unicode'
complete -c jsonx -n "__fish_jsonx_using_subcommand validate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l ext -d 'Take these files of a directory, by how their names end [default: json, jsonl, ndjson, geojson, topojson, jsonld, webmanifest, har, sarif]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s g -l glob -d 'Take the files of a directory that match, instead of those with --ext; with `!` before it, leave out those that match. The last glob that matches decides, also against .gitignore' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l files-from -d 'Take the files and directories that stand in FILE, one on each line; `-` is standard input' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l files0-from -d 'The same with a NUL byte after each name, as `find -print0` and `git ls-files -z` write them' -r -F
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l threads -d 'Threads, for many files or a large one [default: one for each processor]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l indent -d 'Spaces for each level of nesting; 0 is the same as --compact' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l width -d 'Put an array or object on one line where that has at most N characters: `[1, 2, 3]`, `{"a": 1, "b": 2}`' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l eol -d 'How lines end: lf, crlf' -r -f -a "lf\t''
crlf\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l input -d 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)' -r -f -a "auto\t''
json\t''
jsonl\t''
stream\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l max-depth -d 'Deepest nesting that is accepted; 0 is no limit (validate only)' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l max-errors -d 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l color -d 'Colours in messages: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l allow-no-files -d 'It is no mistake if there are no files at all'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l hidden -d 'Also hidden files and directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l no-ignore -d 'Also what .gitignore and .ignore files exclude'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s L -l follow -d 'Follow symbolic links in directories'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s w -l write -d 'Rewrite the files that are not formatted, each as a whole or not at all'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l check -d 'Print the names of files that are not formatted, and exit with 1 if there are any'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l diff -d 'Print what formatting would change, as `patch -p0` and `git apply -p0` take it, and exit with 1 if it is anything'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s v -l verbose -d 'Say on standard error what was done with, or is to be said of, every file'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s q -l quiet -d 'Print no names, no differences and no messages; the exit code says it'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s c -l compact -d 'No white space at all: each value on one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l tab -d 'One tab for each level of nesting'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l jsonl -d 'JSON Lines: every value at the root compact, on a line of its own'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s S -l sort-keys -d 'Sort the members of objects by the code points of their keys; those with equal keys keep their order. Needs memory for the largest object that is not inside another one'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s a -l ascii -d 'Write characters beyond ASCII as \\u escapes'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l html-safe -d 'Write `<`, `>`, `&`, U+2028 and U+2029 as \\u escapes, for JSON inside HTML'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l canonical -d 'The canonical form of RFC 8785, for signatures and hashes: exactly its bytes, without a newline at the end; several values with a newline between them. Duplicate keys, halves of surrogate pairs, and numbers that would have to be rounded are refused'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -l unicode -d 'Draw the frames of messages with the box characters of Unicode'
complete -c jsonx -n "__fish_jsonx_using_subcommand fmt" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s e -l path -d 'Another path; all arguments that are no options are files then' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l default -d 'Print this where a path has no match; JSON, or any text with --raw' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l limit -d 'Print the first N matches of each file only' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l order -d 'In which order matches come: given (path by path), document (of all paths, as they stand in the text, as they are found), standard (as given, and what `..` finds in the order of RFC 9535, held until the end of the value)' -r -f -a "given\t''
document\t''
standard\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l threads -d 'Threads for large files [default: as many as there are processors]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l input -d 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)' -r -f -a "auto\t''
json\t''
jsonl\t''
stream\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l max-depth -d 'Deepest nesting that is accepted; 0 is no limit (validate only)' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l max-errors -d 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l color -d 'Colours in messages: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s r -l raw -d 'Print strings as the text they stand for, without quotes; half of a surrogate pair becomes U+FFFD, with a warning'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s j -l join -d 'Like --raw, and no newline after each value'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l raw-output0 -d 'Like --raw, and a NUL instead of the newline, for `xargs -0`; a string that holds a NUL is an error'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s c -l compact -d 'No white space in values: each on one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l source -d 'Print the bytes of the value exactly as they stand in the input'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l with-path -d 'Before each value its normalized path (RFC 9535) and a tab; values take one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s H -l with-filename -d 'Before each value the name of its file, as grep has it; that is so with several FILEs. Values take one line'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l no-filename -d 'No names of files, even with several of them'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l type -d 'Instead of values, what they are: object, array, string, number, boolean or null'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l length -d 'Instead of values, how long they are: characters (code points) of a string, elements of an array, different keys of an object; null for what has no length'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l keys -d 'Instead of values, their keys, one on each line, each once, in the order of the text; of arrays, the indices'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l count -d 'Instead of values, how many there are of each path, for each file'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l locate -d 'Instead of values, where they begin: FILE:LINE:COLUMN'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s q -l exists -d 'Print nothing: the exit code says whether every path has a match'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l first -d 'Print the first match of each file only'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l lazy -d 'Stop at the answer: what follows it is neither read nor checked. Of a key that stands twice, the first counts'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s s -l no-messages -d 'Do not say which path has no match, and where it stopped'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -l unicode -d 'Draw the frames of messages with the box characters of Unicode'
complete -c jsonx -n "__fish_jsonx_using_subcommand get" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l offset -d 'The place in bytes, from 0, instead of line and column' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l input -d 'What an input holds: json (one value), jsonl (one value on each line), stream (any number of values one after another), auto (.jsonl and .ndjson are jsonl, other files json; get and fmt take a stream on standard input)' -r -f -a "auto\t''
json\t''
jsonl\t''
stream\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l max-depth -d 'Deepest nesting that is accepted; 0 is no limit (validate only)' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l max-errors -d 'Findings shown of each file; 0 is all [default: 20, and 1000 for programs]' -r
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l color -d 'Colours in messages: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l dot -d 'As a dot path, for `jsonx get`: this is the default'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l jsonpath -d 'As a normalized path of JSONPath (RFC 9535)'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l pointer -d 'As a JSON Pointer (RFC 6901)'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -l unicode -d 'Draw the frames of messages with the box characters of Unicode'
complete -c jsonx -n "__fish_jsonx_using_subcommand locate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -l color -d 'Colours: auto, always, never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jsonx -n "__fish_jsonx_using_subcommand explain" -s h -l help -d 'Print help'
complete -c jsonx -n "__fish_jsonx_using_subcommand completions" -s h -l help -d 'Print help'
