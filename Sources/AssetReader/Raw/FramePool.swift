import MediaCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A pool of memory for frames laid out as in the file: planes one after another, rows unpadded, so
/// that one read fills a frame. It never holds more blocks than the most frames that were in use at
/// the same time.
final class FramePool: Sendable {
  /// Unused blocks.
  private final class Store: Sendable {
    let blocks = Mutex<[OwnedAddress]>([])
    deinit { blocks.withLock { for block in $0 { free(block.address) } } }
  }

  private let details: PixelBuffer.Description
  private let byteCount: Int
  private let ledger: FrameLedger
  private let store = Store()

  init(_ details: PixelBuffer.Description, ledger: FrameLedger) {
    self.details = details
    self.ledger = ledger
    byteCount = details.format.byteCount(width: details.width, height: details.height)
  }

  /// Makes a frame whose bytes `fill` writes. Rethrows what `fill` throws.
  ///
  /// - Returns: The frame; nil if `fill` returns false.
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

  /// The planes of a frame stored without padding.
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
    // 64 extra bytes, because whole vectors are loaded at the end of a row.
    guard posix_memalign(&memory, 4096, byteCount + 64) == 0, let memory else {
      throw AssetReaderError(.outOfMemory, "no memory for a frame of \(byteCount) bytes")
    }
    return memory
  }

  private func putBlock(_ address: UnsafeMutableRawPointer) {
    let block = OwnedAddress(address)
    store.blocks.withLock { $0.append(block) }
  }
}
