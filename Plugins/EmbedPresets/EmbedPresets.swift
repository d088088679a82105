import Foundation
import PackagePlugin

/// Embeds the files of `presets/`, or for development those of `presets/develop/`, in the library, so that a
/// copied binary has them.
@main
struct EmbedPresets: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let folder = root.appending(
      path: target.name == "PhotoDevelopment" ? "presets/develop" : "presets")
    let presets = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "toml" }
      .sorted { $0.path < $1.path }
    let script = root.appending(path: "scripts/embed-presets")
    let output = context.pluginWorkDirectoryURL.appending(path: "BuiltInPresets.swift")
    return [
      .buildCommand(
        displayName: "Embedding presets", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + presets.map(\.path),
        inputFiles: [script] + presets, outputFiles: [output])
    ]
  }
}
