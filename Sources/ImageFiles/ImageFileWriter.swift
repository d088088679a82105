import MediaCore

/// Writes images to files, completely or not at all.
///
/// ```swift
/// var settings = ImageFileSettings(format: .heic)
/// settings.bitDepth = 10
/// let written = try ImageFileWriter(settings).write(ImageContent(image), to: "photo.heic")
/// for note in written.notes { print(note.message) }
/// ```
public struct ImageFileWriter: Sendable {
  /// A file that was written.
  public struct Written: Sendable, Hashable {
    /// The file's size.
    public let byteCount: Int
    /// What the format could not hold.
    public let notes: [ImageFileNote]
  }

  /// The settings used for all images.
  public let settings: ImageFileSettings
  /// Called now and then; returning true cancels the work with ``ImageFileError/Code/canceled``. For HEIC, AVIF
  /// and JPEG it is called only before and after compression.
  public var isCanceled: @Sendable () -> Bool = { Task.isCancelled }

  /// A writer with the given settings.
  public init(_ settings: ImageFileSettings) { self.settings = settings }

  /// Encodes the image to memory.
  ///
  /// - Throws: ``ImageFileError``: `invalidArgument` for settings out of range, `unsupported` for anything that
  ///   the format cannot hold, `codecFailed`, `canceled`.
  public func encode(
    _ content: ImageContent
  ) throws(ImageFileError) -> (bytes: [UInt8], notes: [ImageFileNote]) {
    let output = ImageOutput()
    let notes = try put(content, into: output)
    return (output.bytes, notes)
  }

  /// Writes the file under a temporary name, syncs it to disk, then renames it.
  ///
  /// - Parameters:
  ///   - content: The image and its metadata.
  ///   - path: The destination.
  ///   - replacing: True to replace an existing file.
  /// - Throws: As ``encode(_:)``, and `fileFailed` with the system's error number, EEXIST for an existing file that
  ///   is not to be replaced. Nothing is left behind.
  public func write(
    _ content: ImageContent, to path: String, replacing: Bool = false
  ) throws(ImageFileError) -> Written {
    try write(content, to: path, replacing: replacing, beforeNaming: {})
  }

  /// The same, calling `beforeNaming` once the file is complete and before it is renamed.
  ///
  /// - Throws: Also what `beforeNaming` throws; nothing is left behind.
  package func write(
    _ content: ImageContent, to path: String, replacing: Bool,
    beforeNaming: () throws(ImageFileError) -> Void
  ) throws(ImageFileError) -> Written {
    var notes: [ImageFileNote] = []
    let count = try WholeFile.write(
      to: path, replacing: replacing, beforeNaming: beforeNaming
    ) { (output) throws(ImageFileError) in notes = try put(content, into: output) }
    return Written(byteCount: count, notes: notes)
  }

  func put(
    _ content: ImageContent, into output: ImageOutput
  ) throws(ImageFileError) -> [ImageFileNote] {
    var job = try ImageJob(content, settings, output, isCanceled)
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
