// swift-format-ignore-file: AlwaysUseLowerCamelCase

import DNG
public import Foundation
import PictureFiles
import RawDevelop
import Synchronization

/// How far a source is, with Apple's numbers.
public enum CGImageSourceStatus: Int32, Sendable, Hashable {
  case statusUnexpectedEOF = -5
  case statusInvalidData = -4
  case statusUnknownType = -3
  case statusReadingHeader = -2
  case statusIncomplete = -1
  case statusComplete = 0
}

/// A file that pictures are taken from: JPEG, HEIC, AVIF, PNG, TIFF, JPEG XL and DNG.
///
/// Pixels are decoded when a picture is asked for, and not kept. Of a GIF, WebP or another file that is known and not
/// read, ``error`` tells what it is.
public final class CGImageSource: Sendable {
  /// A DNG file.
  struct Negative: Sendable {
    let filter: RAWFilter
    /// The XMP packet in the file; nil if it has none.
    let xmp: [UInt8]?
    let metadata: PhotoMetadata

    /// Nil for what is no DNG file, or cannot be developed.
    init?(_ file: () throws(DNGError) -> DNGFile) {
      guard let file = try? file(), let filter = try? RAWFilter(file) else { return nil }
      self.filter = filter
      (xmp, metadata) = (file.xmpPacket, file.photoMetadata)
    }
  }

  enum Content: Sendable {
    case negative(Negative)
    case file(PictureFile)
    /// Nothing that is read.
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

  /// Why the source has no picture, or the last one that was asked for was not made; nil where all went well. Not of
  /// Image I/O.
  public var error: (any Error)? { state.withLock { $0.error } }
  /// What was guessed or changed of the pictures that were made, and what the file has that is not read, a line each.
  /// Not of Image I/O.
  public var notes: [String] { state.withLock { $0.notes } }

  func note(_ lines: [String]) {
    state.withLock { state in state.notes += lines.filter { !state.notes.contains($0) } }
  }

  func fail(_ error: (any Error)?) { state.withLock { $0.error = error } }
}

extension CGImageSource.State {
  /// What some bytes are.
  ///
  /// - Parameter isWhole: False while more bytes may come.
  init(_ bytes: [UInt8], isWhole: Bool = true) {
    byteCount = bytes.count
    if PictureFile.kind(of: bytes) == .tiff,
      let negative = CGImageSource.Negative({ () throws(DNGError) in try DNGFile(bytes) })
    {
      (content, status) = (.negative(negative), .statusComplete)
      return
    }
    do throws(PictureFileError) {
      let file = try PictureFile(bytes)
      content = .file(file)
      notes = file.notes
      let isCut = file.pictures.contains { $0.isWhole == false }
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

  /// A file; nil where it cannot be read.
  fileprivate init?(_ url: URL) {
    guard let file = try? FileHandle(forReadingFrom: url),
      let start = try? file.read(upToCount: 16)
    else { return nil }
    // A DNG file is read where it lies, of others the bytes are kept.
    if PictureFile.kind(of: [UInt8](start)) == .tiff,
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

/// A source of a file's pictures; nil where the file cannot be read. One of another kind, or a damaged one, gives a source
/// without pictures, of which ``CGImageSourceGetStatus(_:)`` tells.
public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
  CGImageSource.State(url).map(CGImageSource.init)
}

/// A source of the pictures of a file's bytes; nil where there are none. What is no file that is read gives a source
/// without pictures, of which ``CGImageSourceGetStatus(_:)`` tells.
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

/// A source of bytes that are still coming.
public func CGImageSourceCreateIncremental(_ options: CFDictionary?) -> CGImageSource {
  CGImageSource()
}

/// Gives an incremental source all bytes that there are so far.
///
/// - Parameters:
///   - isrc: The source.
///   - data: The file from its first byte on.
///   - final: True where no more will come.
public func CGImageSourceUpdateData(_ isrc: CGImageSource, _ data: CFData, _ final: Bool) {
  let state = CGImageSource.State([UInt8](data), isWhole: final)
  isrc.state.withLock { $0 = state }
}

/// As ``CGImageSourceUpdateData(_:_:_:)``.
public func CGImageSourceUpdateDataProvider(
  _ isrc: CGImageSource, _ provider: CGDataProvider, _ final: Bool
) { CGImageSourceUpdateData(isrc, provider.data ?? Data(), final) }

/// How far the source is, and what is wrong with it.
public func CGImageSourceGetStatus(_ isrc: CGImageSource) -> CGImageSourceStatus {
  isrc.state.withLock { $0.status }
}

/// How far a picture is; ``CGImageSourceStatus/statusUnknownType`` where there is none of the index.
public func CGImageSourceGetStatusAtIndex(_ isrc: CGImageSource, _ index: Int)
  -> CGImageSourceStatus
{
  isrc.state.withLock { state in
    (0..<state.count).contains(index) || state.count == 0 ? state.status : .statusUnknownType
  }
}

/// Pictures of the file apart from previews and masks: pages of a TIFF file, pictures of a HEIF file, and one of others; 0
/// where none is read.
public func CGImageSourceGetCount(_ isrc: CGImageSource) -> Int { isrc.state.withLock { $0.count } }

/// The index of the picture that stands for the file.
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int {
  if case .file(let file) = isrc.content { file.primary } else { 0 }
}

/// Does nothing: nothing is kept.
public func CGImageSourceRemoveCacheAtIndex(_ isrc: CGImageSource, _ index: Int) {}

extension CGImageSource.State {
  var count: Int {
    switch content {
    case .negative: 1
    case .file(let file): file.pictures.count
    case .none: 0
    }
  }
}

/// A picture of the file, not turned: ``kCGImagePropertyOrientation`` says how it is to be. Of a DNG file the default
/// look in sRGB, which is turned.
///
/// - Returns: Nil where there is none of the index, or it cannot be made: the source's `error` has the reason.
public func CGImageSourceCreateImageAtIndex(
  _ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { isrc.image(at: index) }

extension CGImageSource {
  /// A picture.
  ///
  /// - Parameter side: The least that its longer side may have, where a smaller one is made faster.
  func image(at index: Int, side: Int? = nil) -> CGImage? {
    switch content {
    case .none: return nil
    case .negative(let negative):
      guard index == 0 else { return nil }
      var filter = negative.filter
      filter.sampleFormat = .uint8
      return made { () throws(RawDevelopError) in CGImage(try filter.outputImage()) }
    case .file(let file):
      guard file.pictures.indices.contains(index) else { return nil }
      return made { () throws(PictureFileError) in
        let decoded = try file.decoded(at: index, side: side)
        note(decoded.notes)
        return CGImage(
          decoded.picture, opacity: decoded.opacity, utType: file.kind.uniformType)
      }
    }
  }

  /// What some work makes; nil where it fails, and the reason is kept.
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

extension PictureFile {
  /// What the file has and is not read, or was guessed: of one of several pictures with its index.
  fileprivate var notes: [String] {
    pictures.count == 1
      ? pictures[0].notes
      : pictures.enumerated().flatMap { index, facts in
        facts.notes.map { "picture \(index): \($0)" }
      }
  }
}

extension PictureFile.Kind {
  /// Apple's identifier of such files.
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
