import MediaCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Memory for frames that lie in it as in the file: planes one after another, rows unpadded, so
/// that a frame is one read. It grows to as many frames as are in use at once, and no further.
final class FramePool: Sendable {
  /// Blocks that nobody uses.
  private final class Store: Sendable {
    let blocks = Mutex<[OwnedAddress]>([])
    deinit { blocks.withLock { for block in $0 { free(block.address) } } }
  }

  private let details: PixelBuffer.Description
  private let byteCount: Int
  private let ledger: OutstandingPictures
  private let store = Store()

  init(_ details: PixelBuffer.Description, ledger: OutstandingPictures) {
    self.details = details
    self.ledger = ledger
    byteCount = details.format.byteCount(width: details.width, height: details.height)
  }

  /// A frame whose bytes `fill` writes; what it throws or says of the frame goes to the caller.
  ///
  /// - Returns: nil where `fill` returns false.
  func makeFrame(
    _ fill: (UnsafeMutableRawBufferPointer) throws(AssetReaderError) -> Bool
  ) throws(AssetReaderError) -> PixelBuffer? {
    let address = try takeBlock()
    do throws(AssetReaderError) {
      guard try fill(UnsafeMutableRawBufferPointer(start: address, count: byteCount)) else {
        putBlock(address)
        return nil
      }
    } catch {
      putBlock(address)
      throw error
    }
    let block = OwnedAddress(address)
    ledger.claim()
    do throws(MediaCoreError) {
      return try PixelBuffer(details, planes: Self.planes(of: details, at: address)) {
        [store, ledger] in
        store.blocks.withLock { $0.append(block) }
        ledger.give()
      }
    } catch {
      putBlock(address)
      ledger.give()
      throw AssetReaderError(.unsupported, error.message)
    }
  }

  /// The planes of a frame whose planes follow one another without padding.
  static func planes(
    of details: PixelBuffer.Description, at address: UnsafeMutableRawPointer
  ) -> [PixelBuffer.Plane] {
    var offset = 0
    return (0..<details.format.planeCount).map { plane in
      let bytesPerRow = details.format.minimumBytesPerRow(plane: plane, width: details.width)
      let rows = details.format.rows(plane: plane, height: details.height)
      defer { offset += bytesPerRow * rows }
      return PixelBuffer.Plane(
        baseAddress: address + offset, bytesPerRow: bytesPerRow, rows: rows)
    }
  }

  private func takeBlock() throws(AssetReaderError) -> UnsafeMutableRawPointer {
    if let block = store.blocks.withLock({ $0.popLast() }) { return block.address }
    var memory: UnsafeMutableRawPointer?
    // 64 bytes more: readers load whole vectors at a row's end.
    guard posix_memalign(&memory, 4096, byteCount + 64) == 0, let memory else {
      throw AssetReaderError(.outOfMemory, "no memory for a picture of \(byteCount) bytes")
    }
    return memory
  }

  private func putBlock(_ address: UnsafeMutableRawPointer) {
    let block = OwnedAddress(address)
    store.blocks.withLock { $0.append(block) }
  }
}
