import ArgumentParser

/// The script that a shell reads to complete the command's arguments.
enum CompletionScript {
  /// Adds to the argument parser's script what it lacks.
  ///
  /// - Parameter script: The parser's script for any shell.
  static func complete(_ script: String) -> String {
    if script.hasSuffix(bashRegistration) {
      return script.dropLast(bashRegistration.count) + bashColons
    }
    // fish 3 takes the two options together for an order to set the line, and fails.
    return script.replacing(
      "(__recordctl_tokens -tC)", with: #"(string length -- "$(commandline -ct)")"#)
  }

  private static let bashRegistration = "complete -o filenames -F _recordctl recordctl"

  /// bash breaks words at colons, which identifiers of devices contain. The words are joined
  /// before the parser's script sees them, and its answers are shortened by the part that
  /// bash keeps before the last colon.
  private static let bashColons = #"""
    _recordctl_with_colons() {
        local -a words=()
        local -i index cword=0
        local word line="${COMP_LINE:0:COMP_POINT}"
        for index in "${!COMP_WORDS[@]}"; do
            word="${COMP_WORDS[index]}"
            # A colon, and what follows one, without a space between.
            if ((${#words[@]} > 1)) && [[ ("${word}" = :* || "${words[-1]}" = *:) && -n "${word}" \
                && "${COMP_LINE}" = *"${words[-1]}${word}"* ]]; then
                words[-1]+="${word}"
            elif [[ -z "${word}" && "${words[-1]}" = *: && "${line}" = *: ]]; then
                :
            else
                words+=("${word}")
            fi
            ((index == COMP_CWORD)) && cword=$((${#words[@]} - 1))
        done
        local -r before="${3}"
        local -a COMP_WORDS=("${words[@]}")
        local -i COMP_CWORD="${cword}"
        local current="${COMP_WORDS[COMP_CWORD]}"
        if [[ "${current}" != *:* ]]; then
            _recordctl "${1}" "${2}" "${before}"
            return
        fi
        _recordctl "${1}" "${current}" "${COMP_WORDS[COMP_CWORD - 1]}"
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    }

    complete -o filenames -F _recordctl_with_colons recordctl
    """#
}
