import ASCMHL
import MediaCore

/// Fetches one object into a folder.
struct FetchedObject {
  /// The result.
  struct Outcome {
    var file: FetchReport.File
    /// False if there is no checksum to verify it by.
    var isChecked: Bool
  }

  let object: RemoteListing.Object
  let listing: RemoteListing
  let folder: CopyFolder
  let meter: SendMeter
  let isCancelled: @Sendable () -> Bool

  private var client: StorageClient { listing.client }
  private var subject: String { client.subject(object.key) }

  /// Fetches the object, unless the file already exists.
  func run() throws(ObjectStorageError) -> Outcome {
    guard let facts = try client.head(object.key) else {
      try client.checkBucket(of: object.key)
      throw ObjectStorageError(.objectNotFound, "\(subject): is gone")
    }
    let evidence = Evidence(
      facts: facts, words: ObjectMetadata(facts.metadata), expected: try listing.expected(object))
    if let present = try present(facts, evidence) { return present }
    // Bytes of an earlier run may have been lost in a crash: then everything is fetched again,
    // once.
    if let outcome = try fetch(facts, evidence) { return outcome }
    guard let outcome = try fetch(facts, evidence) else {
      throw ObjectStorageError(.verificationFailed, "\(subject): changes while it is fetched")
    }
    return outcome
  }

  private func outcome(
    _ size: Int64, _ xxh64: String, wasPresent: Bool, isChecked: Bool
  ) -> Outcome {
    Outcome(
      file: .init(
        path: folder.path(of: object.path), address: subject, size: size, xxh64: xxh64,
        wasPresent: wasPresent),
      isChecked: isChecked)
  }

  /// The existing file with the object's content; nil if there is none.
  ///
  /// - Throws: ``ObjectStorageError/Code/fileExists`` if its content differs.
  private func present(
    _ facts: ObjectFacts, _ evidence: Evidence
  ) throws(ObjectStorageError) -> Outcome? {
    let local: FileFacts?
    do throws(ASCMHLError) { local = try folder.facts(object.path) } catch {
      throw PartialFile.failed(error)
    }
    guard let local else { return nil }
    guard local.isRegularFile, local.size == facts.size else { throw isTaken }
    let source = try FileSource(object.path, in: folder)
    let plan = try PartPlan(size: local.size, smallest: max(local.size, 1))
    let sums = try ContentChecksums.of(source, plan, isCancelled: isCancelled)
    let isSame =
      if let words = evidence.words {
        words.xxh64 == sums.xxh64 && words.crc64 == sums.crc.base64
      } else {
        try ObjectVerification(client: client, key: object.key, sums: sums).isSame(facts)
      }
    guard isSame else { throw isTaken }
    let judgment = evidence.judge(xxh64: sums.xxh64, crc: sums.crc, md5: sums.entityTag)
    if case .damaged(let reason) = judgment { throw damaged(reason) }
    return outcome(
      local.size, sums.xxh64, wasPresent: true, isChecked: judgment == .whole)
  }

  private var isTaken: ObjectStorageError {
    ObjectStorageError(
      .fileExists,
      "\(folder.path(of: object.path)): already exists with different content than \(subject); name "
        + "another folder, or move it away")
  }

  private func damaged(_ reason: String) -> ObjectStorageError {
    ObjectStorageError(
      .verificationFailed, "\(subject): is damaged: \(reason); fetch it from another copy")
  }

  /// Fetches the missing part of the object.
  ///
  /// - Returns: Nil if the partial file of an earlier run was unusable.
  private func fetch(
    _ facts: ObjectFacts, _ evidence: Evidence
  ) throws(ObjectStorageError) -> Outcome? {
    let partial = try PartialFile(
      object.path, in: folder,
      of: "\(client.account.endpoint.description) \(subject) \(facts.entityTag) \(facts.size)",
      size: facts.size)
    let meter = meter
    try client.read(
      object.key, facts, from: partial.count,
      { bytes in
        guard partial.take(bytes) else { return false }
        meter.sent(bytes.count)
        return true
      }, failure: { partial.failure })
    guard let xxh64 = partial.xxh64 else {
      throw ObjectStorageError(.destinationFailed, "no memory for a checksum")
    }
    let judgment = evidence.judge(
      xxh64: xxh64, crc: partial.crc, md5: try tag(of: partial, evidence))
    guard partial.count == facts.size, case .damaged(let reason) = judgment else {
      guard partial.count == facts.size else {
        partial.discard()
        throw damaged("it has \(partial.count) bytes, not \(facts.size)")
      }
      guard try partial.publish(as: CopyFolder.split(object.path).name) else { throw isTaken }
      return outcome(facts.size, xxh64, wasPresent: false, isChecked: judgment == .whole)
    }
    partial.discard()
    if partial.keptCount > 0 { return nil }
    throw damaged(reason)
  }

  /// The entity tag of the content on a server that uses MD5; nil if other checksums are known.
  private func tag(
    of partial: PartialFile, _ evidence: Evidence
  ) throws(ObjectStorageError) -> String? {
    guard evidence.needsTag else { return nil }
    let plan = try PartPlan(size: partial.count, smallest: max(partial.count, 1))
    return try ContentChecksums.of(
      FileSource(partial.path, in: folder), plan, isCancelled: isCancelled
    ).entityTag
  }
}

/// All known checksums of an object's content.
struct Evidence {
  enum Judgment: Hashable {
    case whole
    case damaged(String)
    /// There is no checksum.
    case unknown
  }

  let facts: ObjectFacts
  /// The checksums that this program attached; nil for objects of other programs.
  let words: ObjectMetadata?
  /// The checksum from a sidecar or a manifest.
  let expected: (xxh64: String, teller: String)?

  /// True if only the entity tag is known.
  var needsTag: Bool {
    facts.crc64 == nil && words == nil && expected == nil && !facts.entityTag.contains("-")
  }

  func judge(xxh64: String, crc: CRC64NVME, md5: String?) -> Judgment {
    if let expected, expected.xxh64 != xxh64 {
      return .damaged("its xxHash64 is \(xxh64), and \(expected.xxh64) by \(expected.teller)")
    }
    if let words, words.xxh64 != xxh64 {
      return .damaged("its xxHash64 is \(xxh64), and was \(words.xxh64) when it was sent")
    }
    for other in [facts.crc64, words?.crc64] {
      guard let other, other != crc.base64 else { continue }
      return .damaged("its CRC-64/NVME is \(crc.base64), and should be \(other)")
    }
    let isStated = expected != nil || words != nil || facts.crc64 != nil
    // An encrypted object's tag is not its MD5.
    return isStated || md5 == facts.entityTag ? .whole : .unknown
  }
}
