import ArgumentParser

/// `recordctl photo`
struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Takes RAW and processed photos with a Bayer sensor, and develops DNG files.",
    subcommands: [
      PhotoTakeCommand.self, PhotoInfoCommand.self, PhotoDevelopCommand.self,
      PhotoSheetCommand.self,
    ],
    defaultSubcommand: PhotoTakeCommand.self)
}
