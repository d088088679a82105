import Foundation
import PackagePlugin

/// Embeds the files of the monitor page and the description of the interface in the gateway, so that a copied
/// binary has them.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let folder = root.appending(path: "Sources/RecorderService/Page")
    let files =
      try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { ["html", "css", "js", "svg"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path } + [root.appending(path: "docs/openapi.json")]
    let script = root.appending(path: "scripts/embed-page")
    let output = context.pluginWorkDirectoryURL.appending(path: "PageFiles.swift")
    return [
      .buildCommand(
        displayName: "Embedding the monitor page", executable: URL(filePath: "/bin/sh"),
        arguments: [script.path, output.path] + files.map(\.path),
        inputFiles: [script] + files, outputFiles: [output])
    ]
  }
}
