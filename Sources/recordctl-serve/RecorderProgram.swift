import Foundation
import MediaCore
import RecorderService
import Takes

/// The program that records: `recordctl`, beside this one or in `PATH`.
enum RecorderProgram {
  /// Its path.
  ///
  /// - Throws: `ServiceError.Code.launchFailed` where there is none.
  static func find() throws(ServiceError) -> String {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let beside = URL(filePath: own).deletingLastPathComponent().path + "/recordctl"
    if FileManager.default.isExecutableFile(atPath: beside) { return beside }
    if let path = inPath("recordctl") { return path }
    throw ServiceError(
      .launchFailed, "recordctl is neither beside \(own) nor in PATH; install both in one folder")
  }

  /// The path of a program in one of the folders of `PATH`; nil for none.
  static func inPath(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
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
    if let second = channel.secondFolder { words += ["--second-folder", second] }
    if channel.startsOnStandby { words.append("--standby") }
    if let upload = channel.upload { words += Self.words(upload) }
    // Channels may share a folder: their names keep the movies apart.
    let name = channel.output ?? "\(channel.name)-{date}-{time}.mov"
    let folder = (channel.folder ?? defaultFolder).map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
    return words + ["--output", folder + name]
  }

  /// Where a channel's movies are written as well; nil where they have one place. A preset that cannot be
  /// read is the recorder's to tell.
  static func secondFolder(of channel: ServiceConfiguration.Channel) -> SecondFolder? {
    let name = channel.preset ?? (try? RecorderDefaults())?[.preset]
    let preset = name.flatMap { try? PresetLibrary().preset(named: $0) }
    guard let path = channel.secondFolder ?? preset?.secondFolder else { return nil }
    return SecondFolder(path, beside: channel.folder ?? defaultFolder ?? ".")
  }

  /// The user's folder for movies. A file of defaults that cannot be read is the recorder's to tell.
  private static var defaultFolder: String? { (try? RecorderDefaults())?[.outputFolder] }

  private static func words(_ upload: ServiceConfiguration.Upload) -> [String] {
    var words = ["--upload", upload.address]
    if let bandwidth = upload.bandwidth { words += ["--upload-bandwidth", bandwidth] }
    if let lock = upload.objectLock { words += ["--upload-object-lock", lock] }
    if upload.removesVerified { words.append("--upload-remove") }
    return words
  }
}
