import ASCMHL
import CFFmpeg
import MediaCore

/// All checksums of a file, computed before any of it is sent. Each part is sent with its checksum,
/// so the server rejects what the network or the disk changed.
struct ContentChecksums: Sendable, Hashable, Codable {
  /// The size in bytes.
  var size: Int64
  /// The size of a part in bytes.
  var partSize: Int64
  /// The xxHash64, as sixteen hexadecimal digits.
  var xxh64: String
  var c4: String?
  /// The CRC-64/NVME of the whole file.
  var crc64: UInt64
  /// The MD5 of each part.
  var partMD5: [[UInt8]]
  /// The CRC-64/NVME of each part.
  var partCRC64: [UInt64]

  /// The entity tag that servers give such an object unless they encrypt it: the MD5 of a single
  /// part, otherwise the MD5 of the parts' MD5s and their number.
  var entityTag: String {
    guard partMD5.count > 1 else { return Digest.hexadecimal(partMD5.first ?? []) }
    return Digest.hexadecimal(Digest.md5(partMD5.flatMap { $0 })) + "-\(partMD5.count)"
  }

  var crc: CRC64NVME { CRC64NVME(value: crc64) }

  /// Reads a file once.
  ///
  /// - Parameter take: Called with all bytes, in order.
  static func of(
    _ file: any ObjectSource, _ plan: PartPlan, isCancelled: () -> Bool,
    _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
  ) throws(ObjectStorageError) -> ContentChecksums {
    let whole = ContentHash.Stream()
    let c4 = C4Identifier.Stream()
    var sums = ContentChecksums(
      size: plan.size, partSize: plan.partSize, xxh64: "", c4: nil, crc64: 0, partMD5: [],
      partCRC64: [])
    var crc = CRC64NVME()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    guard let md5 = av_md5_alloc() else { throw ObjectStorageError(.sourceFailed, "no memory") }
    defer { av_free(UnsafeMutableRawPointer(md5)) }
    for part in 0..<plan.count {
      let range = plan.range(part)
      var place = range.lowerBound
      var partCRC = CRC64NVME()
      av_md5_init(md5)
      while place < range.upperBound {
        guard !isCancelled() else { throw .cancelled }
        let room = min(Int(range.upperBound - place), buffer.count)
        let count = try file.read(
          UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]), at: place)
        guard count > 0 else { throw .changed(file.name) }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        whole.add(bytes)
        c4.add(bytes)
        take(bytes)
        partCRC.add(bytes)
        av_md5_update(md5, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        place += Int64(count)
      }
      var digest = [UInt8](repeating: 0, count: 16)
      av_md5_final(md5, &digest)
      sums.partMD5.append(digest)
      sums.partCRC64.append(partCRC.value)
      crc = crc.followed(by: partCRC, length: range.upperBound - range.lowerBound)
    }
    guard let hash = whole.hash else { throw ObjectStorageError(.sourceFailed, "no memory") }
    (sums.xxh64, sums.c4, sums.crc64) = ("\(hash)", c4.identifier().map { "\($0)" }, crc.value)
    return sums
  }
}

extension ObjectStorageError {
  static let cancelled = ObjectStorageError(
    .interrupted, "interrupted; the same command continues with what is missing")

  static func changed(_ name: String) -> ObjectStorageError {
    ObjectStorageError(.sourceFailed, "\(name): changed while it was sent; run the command again")
  }
}
