public import FoundationEssentials
import Glibc
import MediaCore
import Synchronization

/// Options for requesting a resource's data, like `PHAssetResourceRequestOptions`.
public struct AssetResourceRequestOptions: Sendable {
  /// Called with the progress, from 0 to 1.
  public var progressHandler: (@Sendable (Double) -> Void)?
  /// Exists for Apple's network access; all data is local here.
  public var isNetworkAccessAllowed = false

  public init() {}
}

/// Provides the data of resources, like `PHAssetResourceManager`.
public final class AssetResourceManager: Sendable {
  /// The number of bytes delivered at a time.
  static let chunk = 1 << 20

  private static let manager = AssetResourceManager()

  public static func `default`() -> AssetResourceManager { manager }

  /// The data of a resource, in pieces; only one piece is in memory at a time.
  ///
  /// The sequence ends with ``MediaLibraryError/Code/verificationFailed`` if the data is not what
  /// was added.
  public func data(for resource: AssetResource) -> AssetResourceData {
    AssetResourceData(resource: resource)
  }

  /// Apple's variant of ``data(for:)``, with callbacks: for each piece of the data, in order, and
  /// for the end.
  @_disfavoredOverload  // AVFoundationCompat's overload is preferred if both apply.
  public func requestData(
    for resource: AssetResource, options: AssetResourceRequestOptions? = nil,
    dataReceivedHandler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable (MediaLibraryError?) -> Void
  ) {
    Task {
      do {
        var done: Int64 = 0
        for try await piece in data(for: resource) {
          dataReceivedHandler(piece)
          done += Int64(piece.count)
          options?.progressHandler?(Double(done) / Double(max(resource.fileSize, 1)))
        }
        completionHandler(nil)
      } catch let error as MediaLibraryError {
        completionHandler(error)
      } catch {
        completionHandler(MediaLibraryError(.ioFailed, "\(error)"))
      }
    }
  }

  /// Writes a resource to a new file, and verifies what was written.
  ///
  /// - Throws: ``MediaLibraryError`` if the file exists, access is denied or the disk is full;
  ///   ``MediaLibraryError/Code/verificationFailed``. No file is left then.
  @_disfavoredOverload
  public func writeData(
    for resource: AssetResource, toFile fileURL: URL, options: AssetResourceRequestOptions? = nil
  ) async throws(MediaLibraryError) {
    let path = fileURL.path
    try await resource.library.onQueue { () throws(MediaLibraryError) in
      let core = try resource.library.core(for: .reading)
      try resource.library.checkReading(core)
      let source = try core.files.open(
        core.layout.path(of: resource.record.path, files: core.files), O_RDONLY | O_NOFOLLOW)
      guard try core.files.status(path) == nil else {
        throw MediaLibraryError(
          .invalidPath, "\(path): already exists; name another file", errno: EEXIST)
      }
      // Under a temporary name, so that a file with the final name is complete.
      let part = try PartFile(of: path, files: core.files)
      do throws(MediaLibraryError) {
        let copy = try FileCopy.copy(source, into: part.file, assurance: .verified)
        try resource.check(copy.hash, copy.size)
        try part.giveName()
        try core.files.synchronizeFolder(LibraryFiles.parent(path))
      } catch {
        part.remove()
        throw error
      }
    }
    options?.progressHandler?(1)
  }

  /// Apple's variant of ``writeData(for:toFile:options:)``, with a callback.
  @_disfavoredOverload
  public func writeData(
    for resource: AssetResource, toFile fileURL: URL, options: AssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable (MediaLibraryError?) -> Void
  ) {
    Task {
      do throws(MediaLibraryError) {
        try await writeData(for: resource, toFile: fileURL, options: options)
        completionHandler(nil)
      } catch { completionHandler(error) }
    }
  }
}

extension AssetResource {
  /// Checks that data is what was added.
  func check(_ hash: ContentHash, _ size: Int64) throws(MediaLibraryError) {
    guard "\(hash)" == record.hash, size == record.size else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(relativePath): is damaged: its xxHash64 is \(hash), but was \(record.hash) when it was "
          + "added; restore it from a copy")
    }
  }
}

/// The data of a resource, in pieces.
public struct AssetResourceData: AsyncSequence, Sendable {
  let resource: AssetResource

  /// Reads the resource in chunks, in order.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let resource: AssetResource
    private var reading: Reading?
    private var isAtEnd = false

    init(_ resource: AssetResource) { self.resource = resource }

    /// The next piece; nil at the end.
    ///
    /// - Throws: ``MediaLibraryError``.
    public mutating func next() async throws -> Data? {
      guard !isAtEnd else { return nil }
      let resource = resource
      let present = reading
      let (reading, data) = try await resource.library.onQueue {
        () throws(MediaLibraryError) -> (Reading, Data?) in
        if let present { return (present, try present.next()) }
        let reading = try Reading(resource)
        return (reading, try reading.next())
      }
      self.reading = reading
      isAtEnd = data == nil
      return data
    }
  }

  /// An iterator over the data, from its start.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(resource) }

  /// An open resource and the current offset.
  private final class Reading: Sendable {
    private struct State: ~Copyable {
      let file: OpenFile
      let hash = ContentHash.Stream()
      var offset: Int64 = 0
    }

    private let resource: AssetResource
    private let state: Mutex<State>

    init(_ resource: AssetResource) throws(MediaLibraryError) {
      let core = try resource.library.core(for: .reading)
      try resource.library.checkReading(core)
      self.resource = resource
      state = Mutex(
        State(
          file: try core.files.open(
            core.layout.path(of: resource.record.path, files: core.files), O_RDONLY | O_NOFOLLOW)))
    }

    func next() throws(MediaLibraryError) -> Data? {
      try state.withLock { state throws(MediaLibraryError) in
        let bytes = try state.file.bytes(at: state.offset, count: AssetResourceManager.chunk)
        guard !bytes.isEmpty else {
          if let hash = state.hash.hash { try resource.check(hash, state.offset) }
          return nil
        }
        bytes.withUnsafeBytes { state.hash.add($0) }
        state.offset += Int64(bytes.count)
        return Data(bytes)
      }
    }
  }
}
