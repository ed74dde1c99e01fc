_jsonx() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="jsonx"
                ;;
            jsonx,append)
                cmd="jsonx__subcmd__append"
                ;;
            jsonx,completions)
                cmd="jsonx__subcmd__completions"
                ;;
            jsonx,config)
                cmd="jsonx__subcmd__config"
                ;;
            jsonx,convert)
                cmd="jsonx__subcmd__convert"
                ;;
            jsonx,del)
                cmd="jsonx__subcmd__del"
                ;;
            jsonx,diff)
                cmd="jsonx__subcmd__diff"
                ;;
            jsonx,edit)
                cmd="jsonx__subcmd__edit"
                ;;
            jsonx,explain)
                cmd="jsonx__subcmd__explain"
                ;;
            jsonx,fix)
                cmd="jsonx__subcmd__fix"
                ;;
            jsonx,fmt)
                cmd="jsonx__subcmd__fmt"
                ;;
            jsonx,get)
                cmd="jsonx__subcmd__get"
                ;;
            jsonx,help)
                cmd="jsonx__subcmd__help"
                ;;
            jsonx,jq)
                cmd="jsonx__subcmd__jq"
                ;;
            jsonx,locate)
                cmd="jsonx__subcmd__locate"
                ;;
            jsonx,lsp)
                cmd="jsonx__subcmd__lsp"
                ;;
            jsonx,patch)
                cmd="jsonx__subcmd__patch"
                ;;
            jsonx,set)
                cmd="jsonx__subcmd__set"
                ;;
            jsonx,validate)
                cmd="jsonx__subcmd__validate"
                ;;
            jsonx__subcmd__help,append)
                cmd="jsonx__subcmd__help__subcmd__append"
                ;;
            jsonx__subcmd__help,completions)
                cmd="jsonx__subcmd__help__subcmd__completions"
                ;;
            jsonx__subcmd__help,config)
                cmd="jsonx__subcmd__help__subcmd__config"
                ;;
            jsonx__subcmd__help,convert)
                cmd="jsonx__subcmd__help__subcmd__convert"
                ;;
            jsonx__subcmd__help,del)
                cmd="jsonx__subcmd__help__subcmd__del"
                ;;
            jsonx__subcmd__help,diff)
                cmd="jsonx__subcmd__help__subcmd__diff"
                ;;
            jsonx__subcmd__help,edit)
                cmd="jsonx__subcmd__help__subcmd__edit"
                ;;
            jsonx__subcmd__help,explain)
                cmd="jsonx__subcmd__help__subcmd__explain"
                ;;
            jsonx__subcmd__help,fix)
                cmd="jsonx__subcmd__help__subcmd__fix"
                ;;
            jsonx__subcmd__help,fmt)
                cmd="jsonx__subcmd__help__subcmd__fmt"
                ;;
            jsonx__subcmd__help,get)
                cmd="jsonx__subcmd__help__subcmd__get"
                ;;
            jsonx__subcmd__help,help)
                cmd="jsonx__subcmd__help__subcmd__help"
                ;;
            jsonx__subcmd__help,jq)
                cmd="jsonx__subcmd__help__subcmd__jq"
                ;;
            jsonx__subcmd__help,locate)
                cmd="jsonx__subcmd__help__subcmd__locate"
                ;;
            jsonx__subcmd__help,lsp)
                cmd="jsonx__subcmd__help__subcmd__lsp"
                ;;
            jsonx__subcmd__help,patch)
                cmd="jsonx__subcmd__help__subcmd__patch"
                ;;
            jsonx__subcmd__help,set)
                cmd="jsonx__subcmd__help__subcmd__set"
                ;;
            jsonx__subcmd__help,validate)
                cmd="jsonx__subcmd__help__subcmd__validate"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        jsonx)
            opts="-q -v -h -V --quiet --verbose --color --threads --help --version validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__append)
            opts="-g -L -s -j -p -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --string --json --from --parents --existing --write --check --diff --missing-ok --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__completions)
            opts="-q -v -h -V --quiet --verbose --color --threads --help --version bash elvish fish powershell zsh"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__config)
            opts="-c -S -a -q -v -h -V --compact --indent --tab --width --style --trailing-commas --to --eol --no-editorconfig --sort-keys --ascii --html-safe --canonical --schema --use-schema-key --schema-map --schema-dir --draft --formats --max-steps --warn --deny --strict --allow --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --indent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --width)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --style)
                    COMPREPLY=($(compgen -W "lines prettier" -- "${cur}"))
                    return 0
                    ;;
                --trailing-commas)
                    COMPREPLY=($(compgen -W "keep none all" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "json" -- "${cur}"))
                    return 0
                    ;;
                --eol)
                    COMPREPLY=($(compgen -W "keep lf crlf" -- "${cur}"))
                    return 0
                    ;;
                --schema)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-map)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --draft)
                    COMPREPLY=($(compgen -W "4 6 7 2019-09 2020-12" -- "${cur}"))
                    return 0
                    ;;
                --formats)
                    COMPREPLY=($(compgen -W "assert annotate" -- "${cur}"))
                    return 0
                    ;;
                --max-steps)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --warn)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --deny)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__convert)
            opts="-S -a -q -v -h -V --to --from --big --float32 --unwrap --bin --nonfinite --keys --indent --tab --width --sort-keys --ascii --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --to)
                    COMPREPLY=($(compgen -W "json msgpack" -- "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -W "auto json jsonl stream msgpack" -- "${cur}"))
                    return 0
                    ;;
                --big)
                    COMPREPLY=($(compgen -W "error float string" -- "${cur}"))
                    return 0
                    ;;
                --float32)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --bin)
                    COMPREPLY=($(compgen -W "base64 hex error" -- "${cur}"))
                    return 0
                    ;;
                --nonfinite)
                    COMPREPLY=($(compgen -W "error null" -- "${cur}"))
                    return 0
                    ;;
                --keys)
                    COMPREPLY=($(compgen -W "error stringify" -- "${cur}"))
                    return 0
                    ;;
                --indent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --width)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__del)
            opts="-g -L -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --with-comments --write --check --diff --missing-ok --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__diff)
            opts="-q -v -h -V --format --exact --key --set --ignore --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --format)
                    COMPREPLY=($(compgen -W "human patch merge json" -- "${cur}"))
                    return 0
                    ;;
                --key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --set)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ignore)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__edit)
            opts="-s -j -L -p -w -g -q -v -h -V --string --json --set --append --insert --del --move --copy --test --ext --files-from --files0-from --allow-no-files --no-hidden --no-ignore --follow --parents --existing --write --check --diff --missing-ok --input --max-depth --max-errors --unicode --config --no-config --glob --exclude --hidden --with-comments --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --set)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --append)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --insert)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --del)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --move)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --copy)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --test)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__explain)
            opts="-q -v -h -V --quiet --verbose --color --threads --help --version empty-input wrong-encoding wrong-format leading-text byte-order-mark invalid-utf8 merge-conflict syntax-error deep-nesting trailing-comma extra-comma missing-comma missing-colon wrong-separator missing-value missing-key colon-in-array unclosed-bracket mismatched-bracket extra-bracket missing-open-bracket wrong-bracket multiple-values trailing-content truncated-input unexpected-text expression ellipsis template-placeholder comment unclosed-comment unopened-comment stray-slash duplicate-key invalid-whitespace single-quotes backtick-string smart-quotes triple-quotes string-prefix unterminated-string unescaped-quote newline-in-string control-character bad-escape bad-unicode-escape lone-surrogate unquoted-key unquoted-value wrong-literal non-finite-number leading-zero leading-plus missing-digits non-decimal-number digit-separator bad-number unsafe-integer number-range schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword config jsonc checking ci clusters comments comparison differences editing editors exit-codes formatting library messagepack paths programs repair schemas settings"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__fix)
            opts="-g -L -a -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --all --partial --write --check --diff --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__fmt)
            opts="-g -L -w -c -S -a -s -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --write --check --diff --stdin-filename --reporter --compact --indent --tab --width --style --trailing-commas --to --eol --no-editorconfig --sort-keys --ascii --html-safe --canonical --slurp --skip-invalid --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --stdin-filename)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --reporter)
                    COMPREPLY=($(compgen -W "human concise json sarif github gitlab junit checkstyle rdjson" -- "${cur}"))
                    return 0
                    ;;
                --indent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --width)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --style)
                    COMPREPLY=($(compgen -W "lines prettier" -- "${cur}"))
                    return 0
                    ;;
                --trailing-commas)
                    COMPREPLY=($(compgen -W "keep none all" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "json" -- "${cur}"))
                    return 0
                    ;;
                --eol)
                    COMPREPLY=($(compgen -W "keep lf crlf" -- "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__get)
            opts="-e -r -j -c -H -q -v -h -V --path --where --raw --join --raw-output0 --columns --tsv --csv --json --table --header --compact --source --with-path --with-filename --no-filename --type --length --keys --count --locate --exists --tally --stats --default --limit --skip-invalid --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --path)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -e)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --where)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --columns)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --default)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --limit)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help)
            opts="validate fmt fix get jq set append del edit locate convert diff patch config lsp explain completions help"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__append)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__completions)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__config)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__convert)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__del)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__diff)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__edit)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__explain)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__fix)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__fmt)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__get)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__help)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__jq)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__locate)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__lsp)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__patch)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__set)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__help__subcmd__validate)
            opts=""
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 3 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__jq)
            opts="-g -n -R -s -c -r -j -a -S -C -M -e -f -L -b -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --args --jsonargs --null-input --raw-input --slurp --compact-output --raw-output --join-output --raw-output0 --ascii-output --sort-keys --color-output --monochrome-output --tab --indent --exit-status --from-file --library-path --arg --argjson --slurpfile --rawfile --stream --stream-errors --seq --unbuffered --binary --skip-invalid --write --check --diff --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --indent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --library-path)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -L)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --arg)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --argjson)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --slurpfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --rawfile)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__locate)
            opts="-q -v -h -V --offset --dot --jsonpath --pointer --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --offset)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__lsp)
            opts="-c -S -a -q -v -h -V --stdio --compact --indent --tab --width --style --trailing-commas --to --eol --no-editorconfig --sort-keys --ascii --html-safe --canonical --schema --use-schema-key --schema-map --schema-dir --draft --formats --max-steps --warn --deny --strict --allow --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --indent)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --width)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --style)
                    COMPREPLY=($(compgen -W "lines prettier" -- "${cur}"))
                    return 0
                    ;;
                --trailing-commas)
                    COMPREPLY=($(compgen -W "keep none all" -- "${cur}"))
                    return 0
                    ;;
                --to)
                    COMPREPLY=($(compgen -W "json" -- "${cur}"))
                    return 0
                    ;;
                --eol)
                    COMPREPLY=($(compgen -W "keep lf crlf" -- "${cur}"))
                    return 0
                    ;;
                --schema)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-map)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --draft)
                    COMPREPLY=($(compgen -W "4 6 7 2019-09 2020-12" -- "${cur}"))
                    return 0
                    ;;
                --formats)
                    COMPREPLY=($(compgen -W "assert annotate" -- "${cur}"))
                    return 0
                    ;;
                --max-steps)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --warn)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --deny)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__patch)
            opts="-g -L -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --merge --write --check --diff --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__set)
            opts="-g -L -s -j -p -w -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --string --json --from --parents --existing --write --check --diff --missing-ok --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
        jsonx__subcmd__validate)
            opts="-g -L -q -v -h -V --ext --glob --exclude --files-from --files0-from --allow-no-files --no-hidden --hidden --no-ignore --follow --reporter --fail-fast --fix --schema --use-schema-key --schema-map --schema-dir --draft --formats --max-steps --warn --deny --strict --allow --input --max-depth --max-errors --unicode --config --no-config --quiet --verbose --color --threads --help --version"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 2 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --ext)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --glob)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -g)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --reporter)
                    COMPREPLY=($(compgen -W "human concise json sarif github gitlab junit checkstyle rdjson" -- "${cur}"))
                    return 0
                    ;;
                --schema)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-map)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --schema-dir)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --draft)
                    COMPREPLY=($(compgen -W "4 6 7 2019-09 2020-12" -- "${cur}"))
                    return 0
                    ;;
                --formats)
                    COMPREPLY=($(compgen -W "assert annotate" -- "${cur}"))
                    return 0
                    ;;
                --max-steps)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --warn)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --deny)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --allow)
                    COMPREPLY=($(compgen -W "duplicate-key unsafe-integer number-range lone-surrogate byte-order-mark all schema schema/additionalItems schema/additionalProperties schema/anyOf schema/const schema/contains schema/contentEncoding schema/contentMediaType schema/dependencies schema/dependentRequired schema/enum schema/exclusiveMaximum schema/exclusiveMinimum schema/false schema/format schema/items schema/limit schema/maxContains schema/maxItems schema/maxLength schema/maxProperties schema/maximum schema/minContains schema/minItems schema/minLength schema/minProperties schema/minimum schema/multipleOf schema/not schema/oneOf schema/pattern schema/propertyNames schema/required schema/type schema/unencoded schema/unevaluatedItems schema/unevaluatedProperties schema/uniqueItems schema/unknown-keyword" -- "${cur}"))
                    return 0
                    ;;
                --input)
                    COMPREPLY=($(compgen -W "auto json jsonc json5 jsonl stream" -- "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-errors)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --config)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _jsonx -o nosort -o bashdefault -o default jsonx
else
    complete -F _jsonx -o bashdefault -o default jsonx
fi
