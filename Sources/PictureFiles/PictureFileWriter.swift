import MediaCore

/// Writes pictures as files: whole, or not at all.
///
/// ```swift
/// var settings = PictureFileSettings(format: .heic)
/// settings.bitDepth = 10
/// let written = try PictureFileWriter(settings).write(PictureContent(picture), to: "photo.heic")
/// for note in written.notes { print(note.message) }
/// ```
public struct PictureFileWriter: Sendable {
  /// A file that was written.
  public struct Written: Sendable, Hashable {
    /// The file's size.
    public let byteCount: Int
    /// What the format could not hold.
    public let notes: [PictureFileNote]
  }

  /// How pictures become files.
  public let settings: PictureFileSettings
  /// Asked now and then; true ends the work with ``PictureFileError/Code/canceled``. HEIC, AVIF and
  /// JPEG compress a picture without asking, before and after which it is asked.
  public var isCanceled: @Sendable () -> Bool = { Task.isCancelled }

  /// A writer of some settings.
  public init(_ settings: PictureFileSettings) { self.settings = settings }

  /// The file in memory.
  ///
  /// - Throws: ``PictureFileError``: `invalidArgument` for settings out of their range, `unsupported` for
  ///   what the format does not hold, `codecFailed`, `canceled`.
  public func encode(
    _ content: PictureContent
  ) throws(PictureFileError) -> (bytes: [UInt8], notes: [PictureFileNote]) {
    let output = PictureOutput()
    let notes = try put(content, into: output)
    return (output.bytes, notes)
  }

  /// Writes the file under another name, waits for the disk, and then gives it its own.
  ///
  /// - Parameters:
  ///   - content: The picture, and what is said of it.
  ///   - path: Where it goes.
  ///   - replacing: True to take the place of an older file.
  /// - Throws: As ``encode(_:)``, and `fileFailed` with the system's error number, EEXIST for an older
  ///   file that is not to be replaced. Nothing is left behind then.
  public func write(
    _ content: PictureContent, to path: String, replacing: Bool = false
  ) throws(PictureFileError) -> Written {
    try write(content, to: path, replacing: replacing, beforeNaming: {})
  }

  /// The same, with what is to be done once the file is complete and before it has its name.
  ///
  /// - Throws: What `beforeNaming` throws, too: nothing is left behind then.
  package func write(
    _ content: PictureContent, to path: String, replacing: Bool,
    beforeNaming: () throws(PictureFileError) -> Void
  ) throws(PictureFileError) -> Written {
    var notes: [PictureFileNote] = []
    let count = try WholeFile.write(
      to: path, replacing: replacing, beforeNaming: beforeNaming
    ) { (output) throws(PictureFileError) in notes = try put(content, into: output) }
    return Written(byteCount: count, notes: notes)
  }

  func put(
    _ content: PictureContent, into output: PictureOutput
  ) throws(PictureFileError) -> [PictureFileNote] {
    var job = try PictureJob(content, settings, output, isCanceled)
    try job.checkCancellation()
    switch settings.format {
    case .jpeg: try job.writeJPEG()
    case .gainMapJPEG: try job.writeGainMapJPEG()
    case .heic: try job.writeHEIF()
    case .avif: try job.writeAVIF()
    case .jpegXL: try job.writeJPEGXL()
    case .tiff: try job.writeTIFF()
    case .png: try job.writePNG()
    case .openEXR: try job.writeOpenEXR()
    }
    try job.checkCancellation()
    return job.notes
  }
}
