import ArgumentParser
import MediaCore
import TakeReports
import Takes
import VideoRecorder

/// `recordctl presets [list | show NAME]`
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Lists and shows the recording presets.",
    subcommands: [List.self, Show.self], defaultSubcommand: List.self)

  /// `recordctl presets list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists all presets: your own first, then the built-in ones.",
      discussion: "Your own are the .toml files in ~/.config/recordctl/presets.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let library = PresetLibrary()
      let listings = library.entries.map { PresetListing($0, in: library) }
      if json { return try Console.print(.presets, PresetListings(presets: listings)) }
      var table = TextTable()
      table.add("PRESET", "FROM", "WHAT")
      for preset in listings {
        table.add(preset.name, preset.path ?? "built in", preset.error?.message ?? preset.summary)
      }
      Console.print(table.lines)
    }
  }

  /// `recordctl presets show NAME`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints a preset's file, a starting point for your own.")

    @Argument(help: "The preset's name, or the path of a file.", completion: Completion.presets)
    var name: String

    func run() throws {
      let library = PresetLibrary()
      // Read it too, so that a broken one is not handed on.
      _ = try library.preset(named: name)
      Console.print(exactly: try library.text(named: name).trimmingTrailingNewlines)
    }
  }
}

/// The presets as they are printed.
private struct PresetListings: Encodable {
  let presets: [PresetListing]
}

/// A preset as it is printed.
struct PresetListing: Encodable {
  let name: String
  let summary: String
  /// The preset's file; nil for one that comes with the program.
  let path: String?
  /// What is wrong with it.
  let error: ErrorSummary?

  init(_ entry: PresetLibrary.Entry, in library: PresetLibrary) {
    name = entry.name
    path = if case .file(let path) = entry.origin { path } else { nil }
    var summary = ""
    var failure: CaptureError?
    do throws(CaptureError) { summary = try library.preset(named: entry.name).summary } catch {
      failure = error
    }
    self.summary = summary
    error = failure.map { ErrorSummary($0) }
  }
}

extension String {
  fileprivate var trimmingTrailingNewlines: String {
    var text = self
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
