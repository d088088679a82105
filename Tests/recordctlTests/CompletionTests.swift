import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import recordctl

/// What shells offer at TAB, determined by running the shells themselves.
@Suite struct CompletionTests {
  /// The command's script for each shell, printed once because it takes most of a second of processor time.
  private static let scripts: Result<[String: String], any Error> = Result {
    try Dictionary(
      uniqueKeysWithValues: ["bash", "zsh", "fish"].map {
        ($0, try Recordctl(["--generate-completion-script", $0]).output)
      })
  }

  /// A folder with the command's script for a shell, and a user's presets.
  private struct Setting {
    let folder: TemporaryFolder
    let script: String
    let environment: [String: String]

    init(_ shell: String, presets: [String] = []) throws {
      folder = try TemporaryFolder()
      script = folder.path("_recordctl")
      try #require(scripts.get()[shell]).write(toFile: script, atomically: true, encoding: .utf8)
      let own = folder.url.appending(path: "recordctl/presets")
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      for preset in presets {
        try Data().write(to: own.appending(path: preset + ".toml"))
      }
      let binaries = Recordctl.binary.deletingLastPathComponent().path
      environment = [
        "XDG_CONFIG_HOME": folder.url.path, "HOME": folder.url.path, "TERM": "xterm",
        "PATH": "\(binaries):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
      ]
    }

    /// Runs a shell's script and returns its output.
    func run(_ shell: String, _ text: String) throws -> String {
      let process = Process()
      let binary: URL = try #require(Judges.find(shell))
      process.executableURL = binary
      process.arguments = (shell == "zsh" ? ["-f"] : []) + ["-c", text]
      process.environment = environment
      process.currentDirectoryURL = folder.url
      process.standardInput = FileHandle.nullDevice
      let file = try folder.emptyFile("output")
      process.standardOutput = try FileHandle(forWritingTo: file)
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitForExit()
      return try String(contentsOf: file, encoding: .utf8)
    }

    /// What bash offers for words as bash splits them: a colon is a word of its own.
    func bash(_ words: [String]) throws -> [String] {
      var line = words.first ?? ""
      for (word, before) in zip(words.dropFirst(), words) {
        line += (word == ":" || before == ":") ? word : " " + word
      }
      func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
      // bash passes an empty word if the cursor is right after a colon.
      let current = words.last == ":" ? "" : words.last ?? ""
      let before = words.dropLast().last ?? ""
      return try run(
        "bash",
        """
        source \(quoted(script)); COMP_LINE=\(quoted(line)); COMP_POINT=${#COMP_LINE}
        COMP_WORDS=(\(words.map(quoted).joined(separator: " "))); COMP_CWORD=\(words.count - 1)
        COMP_TYPE=9 COMP_KEY=9
        function=$(complete -p recordctl | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        "$function" recordctl \(quoted(current)) \(quoted(before)); printf '%s\\n' "${COMPREPLY[@]}"
        """
      ).split(separator: "\n").map(String.init)
    }
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("bash") != nil, "bash is not installed"))
  func bash_offers_presets_devices_codecs_albums_and_files() throws {
    let setting = try Setting("bash", presets: ["studio"])
    #expect(
      try setting.bash(["recordctl", "record", "--preset", "1080p25"])
        == ["1080p25-422", "1080p25-hq"])
    #expect(try setting.bash(["recordctl", "record", "--preset", ""]).contains("studio"))
    #expect(try setting.bash(["recordctl", "record", "--device", "patt"]).contains("pattern:bars"))
    #expect(try setting.bash(["recordctl", "record", "--codec", "4"]) == ["422", "4444"])
    #expect(
      try setting.bash(["recordctl", "library", "list", "--album", "pro"]) == ["prores"])
    #expect(
      try setting.bash(["recordctl", "record", "--on-interruption", "s"]) == ["slate", "stop"])
    for name in ["take.mov", "take.txt", "scene.dng"] { _ = try setting.folder.emptyFile(name) }
    #expect(try setting.bash(["recordctl", "verify", "ta"]) == ["take.mov"])
    #expect(try setting.bash(["recordctl", "photo", "info", "s"]) == ["scene.dng"])
    #expect(
      try setting.bash(["recordctl", "record", "--preset", "recordctl/presets/"])
        == ["recordctl/presets/studio.toml"])
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("bash") != nil, "bash is not installed"))
  func bash_completes_identifiers_after_their_colon() throws {
    let setting = try Setting("bash")
    #expect(
      try setting.bash(["recordctl", "record", "--device", "pattern", ":", "ba"]) == ["bars"])
    #expect(
      try setting.bash(["recordctl", "record", "--device", "pattern", ":"]).sorted()
        == ["bars", "clock", "noise", "ramp", "raw", "zoneplate"])
    #expect(
      try setting.bash(["recordctl", "formats", "pattern", ":", "z"]) == ["zoneplate"])
    // Completion still works after an identifier with a colon.
    #expect(
      try setting.bash(
        ["recordctl", "record", "--device", "pattern", ":", "bars", "--codec", "h"]) == ["hq"])
  }

  /// bash expands the words it is offered, so a name must be quoted.
  @Test(.tags(.judges), .enabled(if: Judges.find("bash") != nil, "bash is not installed"))
  func shell_commands_in_names_are_not_executed() throws {
    let names = ["$(touch ran)", "`touch ran`", "a;touch ran", "two words", "it's", "$HOME"]
    let setting = try Setting("bash", presets: names)
    let offered = try setting.bash(["recordctl", "record", "--preset", ""])
    #expect(!setting.folder.contents.contains("ran"))
    for name in names { #expect(offered.contains(name), "\(name): \(offered)") }
  }

  @Test func multiline_names_are_not_offered_and_zsh_escapes_colons() {
    typealias Candidate = recordctl.Completion.Candidate
    let evil = Candidate(value: "a\nb", summary: "x")
    for shell in CompletionShell.allCases {
      #expect(recordctl.Completion.encoded(evil, for: shell) == nil)
    }
    let device = Candidate(value: "v4l2:usb-1", summary: "Camera\u{1B}[2J")
    #expect(
      recordctl.Completion.encoded(device, for: .zsh) == #"v4l2\:usb-1:Camera\u{1B}[2J"#)
    #expect(
      recordctl.Completion.encoded(device, for: .fish) == "v4l2:usb-1\tCamera\\u{1B}[2J")
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("fish") != nil, "fish is not installed"))
  func fish_offers_presets_devices_and_codecs() throws {
    let setting = try Setting("fish", presets: ["studio"])
    func offered(_ line: String) throws -> [String] {
      try setting.run("fish", "source \(setting.script); complete -C '\(line)'")
        .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }
    #expect(try offered("recordctl record --preset stu") == ["studio"])
    #expect(try offered("recordctl record --device pattern:ba").contains("pattern:bars"))
    #expect(try offered("recordctl record --codec 44") == ["4444"])
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("zsh") != nil, "zsh is not installed"))
  func zsh_offers_presets_devices_and_codecs() throws {
    let setting = try Setting("zsh", presets: ["studio"])
    /// The line after TAB in an interactive shell.
    func completed(_ line: String) throws -> String {
      try setting.run(
        "zsh",
        """
        zmodload zsh/zpty; zpty shell zsh -f -i
        say() { zpty -w shell "$1"; }
        say "PS1='READY> '; fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -D"
        say "show() { print -r -- \\"GOT<\\$BUFFER>\\"; BUFFER=; zle accept-line }"
        say "zle -N show; bindkey '^X' show; print SET\\\\UP"
        zpty -r -m shell out '*SETUP*'
        zpty -n -w shell '\(line)'$'\\t'
        sleep 1; zpty -n -w shell $'\\C-x'
        zpty -r -m shell out '*GOT<*>*' && print -r -- "$out"
        zpty -d shell
        """)
    }
    #expect(
      try completed("recordctl record --preset stu").contains(
        "GOT<recordctl record --preset studio"))
    #expect(
      try completed("recordctl record --codec 44").contains("GOT<recordctl record --codec 4444"))
    #expect(try completed("recordctl formats pattern:zo").contains("zoneplate"))
  }
}
