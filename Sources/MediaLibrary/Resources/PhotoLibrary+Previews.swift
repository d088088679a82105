import AssetReader
public import FoundationEssentials
import MediaCore
import SystemPackage

extension PhotoLibrary {
  /// Pictures that are made of assets.
  public enum Preview: String, Sendable, Hashable, CaseIterable {
    /// For lists: 256 pixels on the longer side.
    case thumbnail
    /// To look at: 1280 pixels on the longer side.
    case poster

    var side: Int { self == .thumbnail ? 256 : 1280 }
  }

  /// A JPEG of an asset's first picture, or of the preview in a DNG file. It is made through libavcodec
  /// when it is asked for first, and kept.
  ///
  /// - Returns: The file, in the library's hidden folder.
  /// - Throws: ``MediaLibraryError/Code/invalidResource`` where nothing decodes: sound, and RAW of
  ///   which libavcodec knows nothing, without another picture beside it.
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
      // An edit has previews of its own: those of the original are there again when it goes.
      let edit = record.resources.first { $0.type == .fullSizePhoto }.map { "-\($0.hash)" } ?? ""
      let path = core.layout.previews + "/\(record.id)-\(preview.rawValue)\(edit).jpg"
      if try core.files.status(path)?.isRegularFile == true { return URL(filePath: path) }
      if let restriction = try self.opener.restriction() { throw restriction.error }
      let jpeg = try Self.jpeg(of: record, preview, core)
      // Another process may make the same one at this moment.
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
    for resource in edited + others where resource.type.isPicture || resource.type.isMovie {
      let path = try core.layout.path(of: resource.path, files: core.files)
      do throws(AssetReaderError) {
        if let embedded = try embeddedPicture(of: path, core) {
          return try thumbnail(of: embedded, side: preview.side)
        }
        // Opened here, where no link is followed.
        let file = try open(path, core)
        return try jpeg(at: "/proc/self/fd/\(file.descriptor)", preview)
      } catch {
        reason = error.message
      }
    }
    throw MediaLibraryError(
      .invalidResource,
      "\(record.resources.first?.name ?? record.id): no preview can be made: \(reason)")
  }

  private static func open(
    _ path: String, _ core: LibraryCore
  ) throws(AssetReaderError) -> OpenFile {
    do throws(MediaLibraryError) { return try core.files.open(path, 0) } catch {
      throw AssetReaderError(.readFailed, error.message)
    }
  }

  /// The picture for viewers in a DNG file. Its raw pixels are not for looking at.
  private static func embeddedPicture(
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

  /// A smaller JPEG of a picture in memory.
  static func thumbnail(
    of picture: [UInt8], side: Int
  ) throws(AssetReaderError) -> [UInt8] {
    let file: FileDescriptor
    do throws(Errno) { file = try MemoryFile.open(holding: picture) } catch {
      throw AssetReaderError(.outOfMemory, "no memory for a preview")
    }
    defer { try? file.close() }
    var generator = AssetImageGenerator(path: "/proc/self/fd/\(file.rawValue)")
    generator.maximumSide = side
    return try generator.jpeg()
  }
}
