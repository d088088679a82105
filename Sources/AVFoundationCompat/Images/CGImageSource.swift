// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
public import Foundation
import ImageFiles
import RawDevelop
import Synchronization

/// The status of a source, with Apple's numbers.
public enum CGImageSourceStatus: Int32, Sendable, Hashable {
  case statusUnexpectedEOF = -5
  case statusInvalidData = -4
  case statusUnknownType = -3
  case statusReadingHeader = -2
  case statusIncomplete = -1
  case statusComplete = 0
}

/// Reads images from a file: JPEG, HEIC, AVIF, PNG, TIFF, JPEG XL and DNG.
///
/// Images are decoded on request and not cached. For a file type that is recognized but not supported, such as GIF or
/// WebP, ``error`` names the type.
public final class CGImageSource: Sendable {
  /// A DNG file.
  struct Negative: Sendable {
    let filter: RAWFilter
    /// The XMP packet in the file; nil if it has none.
    let xmp: [UInt8]?
    let metadata: PhotoMetadata

    /// Nil if it is not a DNG file or cannot be developed.
    init?(_ file: () throws(DNGError) -> DNGFile) {
      guard let file = try? file(), let filter = try? RAWFilter(file) else { return nil }
      self.filter = filter
      (xmp, metadata) = (file.xmpPacket, file.photoMetadata)
    }
  }

  enum Content: Sendable {
    case negative(Negative)
    case file(ImageFile)
    /// Not a supported file.
    case none
  }

  struct State: Sendable {
    var content = Content.none
    var status = CGImageSourceStatus.statusReadingHeader
    var byteCount = 0
    var notes: [String] = []
    var error: (any Error)?
  }

  let state: Mutex<State>

  init(_ state: State = State()) { self.state = Mutex(state) }

  var content: Content { state.withLock { $0.content } }

  /// Why the source has no image, or why the last requested one could not be decoded; nil if there was no error. Not in
  /// Image I/O.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// Assumptions and changes made when decoding images, and parts of the file that are not read, one line each. Not in
  /// Image I/O.
  public var notes: [String] { state.withLock { $0.notes } }

  func note(_ lines: [String]) {
    state.withLock { state in state.notes += lines.filter { !state.notes.contains($0) } }
  }

  func fail(_ error: (any Error)?) { state.withLock { $0.error = error } }
}

extension CGImageSource.State {
  /// Parses a file's bytes.
  ///
  /// - Parameter isWhole: False if more bytes may follow.
  init(_ bytes: [UInt8], isWhole: Bool = true) {
    byteCount = bytes.count
    if ImageFile.kind(of: bytes) == .tiff,
      let negative = CGImageSource.Negative({ () throws(DNGError) in try DNGFile(bytes) })
    {
      (content, status) = (.negative(negative), .statusComplete)
      return
    }
    do throws(ImageFileError) {
      let file = try ImageFile(bytes)
      content = .file(file)
      notes = file.notes
      let isCut = file.images.contains { $0.isWhole == false }
      status = isCut ? .statusUnexpectedEOF : .statusComplete
    } catch {
      self.error = error
      status = error.code == .unsupported ? .statusUnknownType : .statusInvalidData
    }
    guard !isWhole else { return }
    if case .none = content { status = .statusReadingHeader } else { status = .statusIncomplete }
    error = nil
  }

  fileprivate init(_ negative: CGImageSource.Negative, byteCount: Int) {
    (content, status, self.byteCount) = (.negative(negative), .statusComplete, byteCount)
  }

  /// Opens a file; nil if it cannot be read.
  fileprivate init?(_ url: URL) {
    guard let file = try? FileHandle(forReadingFrom: url),
      let start = try? file.read(upToCount: 16)
    else { return nil }
    // A DNG file is read in place; other files are kept in memory.
    if ImageFile.kind(of: [UInt8](start)) == .tiff,
      let negative = CGImageSource.Negative({ () throws(DNGError) in try DNGFile(contentsOf: url) })
    {
      let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
      self.init(negative, byteCount: size ?? 0)
      return
    }
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.init([UInt8](data))
  }
}

/// A source for a file; nil if the file cannot be read. An unsupported or damaged file gives a source without images;
/// see ``CGImageSourceGetStatus(_:)``.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource.State(url).map(CGImageSource.init)
}

/// A source for a file in memory; nil if the data is empty. Unsupported data gives a source without images; see
/// ``CGImageSourceGetStatus(_:)``.
public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource?
{
  data.isEmpty ? nil : CGImageSource(CGImageSource.State([UInt8](data)))
}

/// As ``CGImageSourceCreateWithData(_:_:)``.
public func CGImageSourceCreateWithDataProvider(
  _ provider: CGDataProvider, _ options: CFDictionary?
) -> CGImageSource? {
  provider.data.flatMap { CGImageSourceCreateWithData($0, options) }
}

/// A source for data that arrives in parts.
public func CGImageSourceCreateIncremental(_ options: CFDictionary?) -> CGImageSource {
  CGImageSource()
}

/// Passes all data received so far to an incremental source.
///
/// - Parameters:
///   - isrc: The source.
///   - data: The file from its first byte.
///   - final: True if the data is complete.
public func CGImageSourceUpdateData(_ isrc: CGImageSource, _ data: CFData, _ final: Bool) {
  let state = CGImageSource.State([UInt8](data), isWhole: final)
  isrc.state.withLock { $0 = state }
}

/// As ``CGImageSourceUpdateData(_:_:_:)``.
public func CGImageSourceUpdateDataProvider(
  _ isrc: CGImageSource, _ provider: CGDataProvider, _ final: Bool
) { CGImageSourceUpdateData(isrc, provider.data ?? Data(), final) }

/// The status of the source.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
  isrc.state.withLock { $0.status }
}

/// The status of an image; ``CGImageSourceStatus/statusUnknownType`` if there is no image with the index.
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int)
  -> CGImageSourceStatus
{
  isrc.state.withLock { state in
    (0..<state.count).contains(index) || state.count == 0 ? state.status : .statusUnknownType
  }
}

/// The number of images without previews and masks: pages of a TIFF file, images of a HEIF file, one for other types; 0
/// if the file is not supported.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.state.withLock { $0.count } }

/// The index of the file's primary image.
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int {
  if case .file(let file) = isrc.content { file.primary } else { 0 }
}

/// Does nothing: nothing is cached.
public func CGImageSourceRemoveCacheAtIndex(_ isrc: CGImageSource, _ index: Int) {}

extension CGImageSource.State {
  var count: Int {
    switch content {
    case .negative: 1
    case .file(let file): file.images.count
    case .none: 0
    }
  }
}

/// An image of the file without its orientation applied; see ``kCGImagePropertyOrientation``. For a DNG file the
/// default rendering in sRGB, with its orientation applied.
///
/// - Returns: Nil if there is no image with the index or it cannot be decoded; the source's `error` gives the reason.
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { isrc.image(at: index) }

extension CGImageSource {
  /// Decodes an image.
  ///
  /// - Parameter side: The minimum length of the longer side if a smaller image is faster to decode.
  func image(at index: Int, side: Int? = nil) -> CGImage? {
    switch content {
    case .none: return nil
    case .negative(let negative):
      guard index == 0 else { return nil }
      var filter = negative.filter
      filter.sampleFormat = .uint8
      return made { () throws(RawDevelopError) in CGImage(try filter.outputImage()) }
    case .file(let file):
      guard file.images.indices.contains(index) else { return nil }
      return made { () throws(ImageFileError) in
        let decoded = try file.decoded(at: index, side: side)
        note(decoded.notes)
        return CGImage(
          decoded.image, opacity: decoded.opacity, utType: file.kind.uniformType)
      }
    }
  }

  /// Runs a closure and returns its image; on failure stores the error and returns nil.
  func made<Failure: Error>(_ work: () throws(Failure) -> CGImage?) -> CGImage? {
    do throws(Failure) {
      let image = try work()
      fail(nil)
      return image
    } catch {
      fail(error)
      return nil
    }
  }
}

extension ImageFile {
  /// Parts of the file that are not read, and assumptions about it; prefixed with the image's index if there are
  /// several images.
  fileprivate var notes: [String] {
    images.count == 1
      ? images[0].notes
      : images.enumerated().flatMap { index, facts in
        facts.notes.map { "image \(index): \($0)" }
      }
  }
}

extension ImageFile.Kind {
  /// The uniform type identifier of the file type.
  var uniformType: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .heic: "public.heic"
    case .heif: "public.heif"
    case .avif: "public.avif"
    case .png: "public.png"
    case .tiff: "public.tiff"
    case .jpegXL: "public.jpeg-xl"
    }
  }
}
