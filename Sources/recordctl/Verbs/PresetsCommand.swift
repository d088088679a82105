import ArgumentParser
import MediaCore
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
      abstract: "Lists all presets, your own first.",
      discussion: "Your own presets are the .toml files in ~/.config/recordctl/presets.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let listings = PresetLibrary().listings
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
      abstract: "Prints a preset file, as a starting point for your own.")

    @Argument(help: "Preset name, or the path of a preset file.", completion: Completion.presets)
    var name: String

    func run() throws {
      Console.print(exactly: try PresetLibrary().validText(named: name).trimmingTrailingNewlines)
    }
  }
}

/// The presets as they are printed.
private struct PresetListings: Encodable {
  let presets: [PresetListing]
}

extension String {
  fileprivate var trimmingTrailingNewlines: String {
    var text = self
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
