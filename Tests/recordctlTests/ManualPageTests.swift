import Foundation
import TestSupport
import Testing

/// The manual pages in `docs/man`, one for each verb.
@Suite struct ManualPageTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  private static var pages: [URL] {
    let folder = root.appending(path: "docs/man")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "1" }.sorted { $0.path < $1.path }
  }

  @Test func each_verb_has_a_page_with_all_its_options() throws {
    let commands = try CommandHelp.read().all()
    #expect(commands.count > 20)
    for (path, command) in commands {
      let name = (["recordctl"] + path).joined(separator: "-")
      let page = Self.root.appending(path: "docs/man/\(name).1")
      let text = try #require(try? String(contentsOf: page, encoding: .utf8), "no page \(name)")
      for argument in command.arguments ?? [] {
        for option in argument.names ?? [] {
          let flag = option.kind == "long" ? "Fl -\(option.name)" : "Fl \(option.name)"
          #expect(text.contains(flag), "\(name): \(flag)")
        }
      }
      for verb in command.subcommands ?? [] where verb.commandName != "help" {
        #expect(text.contains("Xr \(name)-\(verb.commandName) 1"), "\(name): \(verb.commandName)")
      }
    }
    #expect(Self.pages.count == commands.count)
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("python3") != nil, "python3 is not installed"))
  func the_pages_match_the_commands_current_help() throws {
    let script = Self.root.appending(path: "scripts/manual-pages").path
    let run = try Judges.run("python3", [script, "--check", Recordctl.binary.path])
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("mandoc") != nil, "mandoc is not installed"))
  func mandoc_finds_no_errors() throws {
    let run = try Judges.run("mandoc", ["-T", "lint", "-W", "warning"] + Self.pages.map(\.path))
    #expect(run.output.isEmpty && run.errors.isEmpty, "\(run.output)\(run.errors)")
  }

  @Test func the_record_page_describes_the_library_options() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "docs/man/recordctl-record.1"), encoding: .utf8)
    for word in ["Fl -save", "Fl -library", "Ev RECORDCTL_LIBRARY"] {
      #expect(text.contains(word), "\(word)")
    }
  }
}
