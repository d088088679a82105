import Foundation
import MediaCore
import RecorderService

/// The program that records: `recordctl`, beside this one or in `PATH`.
enum RecorderProgram {
  /// Its path.
  ///
  /// - Throws: `ServiceError.Code.launchFailed` where there is none.
  static func find() throws(ServiceError) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let folders =
      [URL(filePath: own).deletingLastPathComponent().path]
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      let path = folder + "/recordctl"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw ServiceError(
      .launchFailed, "recordctl is neither beside \(own) nor in PATH; install both in one folder")
  }

  /// The command line of a channel's recorder.
  static func words(
    _ program: String, _ channel: ServiceConfiguration.Channel, socket: String
  ) -> [String] {
    var words = [program, "channel", "--socket", socket, "--on-hangup", "continue", "--json"]
    if let device = channel.device { words += ["--device", device] }
    if let audio = channel.audio { words += ["--audio", audio] }
    if let preset = channel.preset { words += ["--preset", preset] }
    if let library = channel.library { words += ["--library", library] }
    if channel.standsBy { words.append("--standby") }
    // Channels may share a folder: their names keep the movies apart.
    let name = channel.output ?? "\(channel.name)-{date}-{time}.mov"
    let folder = channel.folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    return words + ["--output", folder + name]
  }
}
