import AssetReader
public import FoundationEssentials
import MediaCore
import SystemPackage

extension PhotoLibrary {
  /// Images created from assets.
  public enum Preview: String, Sendable, Hashable, CaseIterable {
    /// For lists: 256 pixels on the longer side.
    case thumbnail
    /// For viewing: 1280 pixels on the longer side.
    case poster

    var side: Int { self == .thumbnail ? 256 : 1280 }
  }

  /// A JPEG of an asset's first frame, or of the preview in a DNG file. It is created with
  /// libavcodec at the first request, and stored.
  ///
  /// - Returns: The file, in the library's hidden folder.
  /// - Throws: ``MediaLibraryError/Code/invalidResource`` if nothing can be decoded: audio, and RAW
  ///   formats unknown to libavcodec, without another image beside them.
  public func preview(
    _ preview: Preview, of asset: Asset
  ) async throws(MediaLibraryError) -> URL {
    let record = asset.record
    return try await onQueue { () throws(MediaLibraryError) -> URL in
      let core = try self.core(for: .reading)
      try self.checkReading(core)
      guard AssetIdentifier.isValid(record.id) else {
        throw MediaLibraryError(.invalidPath, "'\(record.id)' is not an identifier of an asset")
      }
      // An edit has its own previews, so that the original's are still there once it is reverted.
      let edit = record.resources.first { $0.type == .fullSizePhoto }.map { "-\($0.hash)" } ?? ""
      let path = core.layout.previews + "/\(record.id)-\(preview.rawValue)\(edit).jpg"
      if try core.files.status(path)?.isRegularFile == true { return URL(filePath: path) }
      if let restriction = try self.opener.restriction() { throw restriction.error }
      let jpeg = try Self.jpeg(of: record, preview, core)
      // Another process may create the same file at this moment.
      try core.locked { () throws(MediaLibraryError) in
        try core.files.makeFolder(core.layout.previews)
        try core.files.replace(path, with: jpeg)
      }
      return URL(filePath: path)
    }
  }

  private static func jpeg(
    of record: AssetRecord, _ preview: Preview, _ core: LibraryCore
  ) throws(MediaLibraryError) -> [UInt8] {
    var reason = "it contains no video or image"
    let edited = record.resources.filter { $0.type == .fullSizePhoto }
    let others = record.resources.filter { $0.type != .fullSizePhoto }
    for resource in edited + others where resource.type.isImage || resource.type.isMovie {
      let path = try core.layout.path(of: resource.path, files: core.files)
      do throws(AssetReaderError) {
        if let embedded = try embeddedImage(of: path, core) {
          return try thumbnail(of: embedded, side: preview.side)
        }
        // Opened here, where links are not followed.
        let file = try open(path, core)
        return try jpeg(at: "/proc/self/fd/\(file.descriptor)", preview)
      } catch {
        reason = error.message
      }
    }
    throw MediaLibraryError(
      .invalidResource,
      "\(record.resources.first?.name ?? record.id): no preview can be created: \(reason)")
  }

  private static func open(
    _ path: String, _ core: LibraryCore
  ) throws(AssetReaderError) -> OpenFile {
    do throws(MediaLibraryError) { return try core.files.open(path, 0) } catch {
      throw AssetReaderError(.readFailed, error.message)
    }
  }

  /// The preview image in a DNG file, because its raw pixels are not viewable.
  private static func embeddedImage(
    of path: String, _ core: LibraryCore
  ) throws(AssetReaderError) -> [UInt8]? {
    do throws(MediaLibraryError) {
      return try MediaInspector(files: core.files).embeddedJPEG(path)
    } catch { throw AssetReaderError(.readFailed, error.message) }
  }

  private static func jpeg(
    at path: String, _ preview: Preview
  ) throws(AssetReaderError) -> [UInt8] {
    var generator = AssetImageGenerator(path: path)
    generator.maximumSide = preview.side
    return try generator.jpeg()
  }

  /// A smaller JPEG of an image in memory.
  static func thumbnail(
    of image: [UInt8], side: Int
  ) throws(AssetReaderError) -> [UInt8] {
    let file: FileDescriptor
    do throws(Errno) { file = try MemoryFile.open(holding: image) } catch {
      throw AssetReaderError(.outOfMemory, "no memory for a preview")
    }
    defer { try? file.close() }
    var generator = AssetImageGenerator(path: "/proc/self/fd/\(file.rawValue)")
    generator.maximumSide = side
    return try generator.jpeg()
  }
}
