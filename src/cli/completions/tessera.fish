# Completion of tessera in fish: the program says what may stand there (src/cli/options/completions.cpp).
function __tessera_words
    set -l words (commandline -opc) (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' $words[-1])
    set -l path (string replace -r -- '^--[^=]*=' '' $words[-1])
    set -l program $words[1]
    string match -q -- '~/*' $program; and set program $HOME(string sub -s 2 -- $program)
    command -q $program; or set program tessera
    command -q $program; or return
    for line in ($program --complete $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                string replace -r '^' -- "$option" (__fish_complete_path "$path")
            case :folders
                string replace -r '^' -- "$option" (__fish_complete_directories "$path")
            case '*'
                string match -q -- '-*' $line; and not string match -q -- '-*' $words[-1]; and continue
                string replace -r '[=,]\t' '\t' -- $line
        end
    end
end
complete -c tessera -f -a '(__tessera_words)'
