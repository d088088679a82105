import MediaCore
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads raw video from a mapped file: the frames use the page cache's memory.
final class MappedRawVideoSource: SampleSource {
  /// The mapping, kept while any frame uses it.
  private final class Mapping: @unchecked Sendable {
    // Unchecked because of the pointer: the memory is mapped read-only, and unmapped only in
    // `deinit`.
    let address: UnsafeMutableRawPointer
    let byteCount: Int

    init(path: String) throws(AssetReaderError) {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw ByteInput.openError(path, Errno(rawValue: errno)) }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_size > 0
      else {
        throw AssetReaderError(
          .readFailed, "\(path) cannot be mapped: not a regular file; leave out access=map")
      }
      byteCount = Int(status.st_size)
      guard let map = mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0),
        map != MAP_FAILED
      else {
        throw AssetReaderError(
          .readFailed, "\(path) cannot be mapped: \(String(cString: strerror(errno)))",
          errno: errno)
      }
      madvise(map, byteCount, MADV_SEQUENTIAL)
      address = map
    }

    deinit { munmap(address, byteCount) }
  }

  let containerName = "rawvideo"
  let tracks: [AssetTrack]
  var duration: MediaTime { tracks.first?.duration ?? .invalid }
  let metadata: [String: String] = [:]

  private let name: String
  private let format: RawVideoFormat
  private let ledger: FrameLedger
  private let mapping: Mapping
  private let frameCount: Int
  private var index = 0
  private var isSelected = true

  init(
    location: AssetLocation, format: RawVideoFormat, ledger: FrameLedger
  ) throws(AssetReaderError) {
    name = location.displayName
    self.format = format
    self.ledger = ledger
    mapping = try Mapping(path: location.path)
    frameCount = mapping.byteCount / format.bytesPerFrame
    guard frameCount > 0 else {
      throw AssetReaderError(
        .truncated,
        "\(name) has \(mapping.byteCount) bytes, less than one frame of "
          + "\(format.bytesPerFrame); check size and format")
    }
    tracks = [AssetTrack(raw: format, frameCount: frameCount)]
  }

  func select(_ tracks: Set<AssetTrack.ID>) { isSelected = tracks.contains(0) }

  func nextSample() throws(AssetReaderError) -> AssetSample? {
    guard isSelected, index <= frameCount else { return nil }
    defer { index += 1 }
    guard index < frameCount else {
      let rest = mapping.byteCount % format.bytesPerFrame
      guard rest > 0 else { return nil }
      throw AssetReaderError(
        .truncated,
        "\(name) ends within frame \(index): it holds \(index) complete frames of "
          + "\(format.bytesPerFrame) bytes and \(rest) bytes more; check size and format")
    }
    let planes = FramePool.planes(
      of: format.frame, at: mapping.address + index * format.bytesPerFrame)
    ledger.claim()
    do throws(MediaCoreError) {
      // The last frame is copied: if the file ends exactly at a page boundary, a vector load past
      // the last row would leave the mapping.
      let isLast = index == frameCount - 1
      let frame =
        isLast
        ? try copy(planes)
        : try PixelBuffer(format.frame, planes: planes) { [mapping, ledger] in
          _ = mapping
          ledger.give()
        }
      if isLast { ledger.give() }
      return AssetSample(frame, index: Int64(index), rate: format.frameRate)
    } catch {
      ledger.give()
      throw AssetReaderError(.unsupported, error.message)
    }
  }

  private func copy(_ planes: [PixelBuffer.Plane]) throws(MediaCoreError) -> PixelBuffer {
    let source = try PixelBuffer(format.frame, planes: planes, release: nil)
    var target = try MutablePixelBuffer(format.frame)
    for plane in planes.indices {
      let from = source.plane(plane)
      let step = target.bytesPerRow(plane: plane)
      source.withUnsafeBytes(ofPlane: plane) { input in
        target.withUnsafeMutableBytes(ofPlane: plane) { output in
          for row in 0..<from.rows {
            let bytes = input[row * from.bytesPerRow..<(row + 1) * from.bytesPerRow]
            UnsafeMutableRawBufferPointer(rebasing: output[(row * step)...])
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
          }
        }
      }
    }
    return target.finish()
  }

  func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    throw AssetReaderError(.unsupported, "\(name) is raw: it has no packets; read samples")
  }
}
