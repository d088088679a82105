import ASCMHL
import MediaCore
import Synchronization

/// Uploads one file; the object ends up complete and verified, or is not created at all.
struct ObjectUpload {
  /// The result for one file.
  struct Outcome: Sendable {
    /// In bytes.
    var size: Int64
    /// xxHash64, sixteen hexadecimal digits.
    var xxh64: String
    /// nil if the file was not read because its object already existed.
    var c4: String?
    /// True if the object already existed with the same bytes.
    var wasPresent: Bool
    var notes: [String] = []
  }

  let client: StorageClient
  let settings: UploadSettings
  /// The retention to request for the object; nil to use the bucket's default.
  let lock: ObjectLock?
  let key: String
  let source: any ObjectSource
  let meter: SendMeter
  let isCancelled: @Sendable () -> Bool
  /// The xxHash64 that the file should have; nil if unknown.
  var expectedHash: String?
  /// True if the file need not be read when an object with that hash already exists.
  var trustsHash = false
  /// The file's manifest entry, to be checked while the file is read; nil for no check.
  var listed: MHLEntry?

  private var target: String { "\(client.account.endpoint.description) \(client.subject(key))" }

  /// Uploads the file, unless the object already exists with the same bytes.
  func run() throws(ObjectStorageError) -> Outcome {
    let facts = try source.facts()
    let plan = try PartPlan(size: facts.size, smallest: settings.partSize)
    let journal = plan.isMultipart ? try UploadJournal(target, in: settings.stateFolder) : nil
    let origin = UploadJournal.Source(facts)
    let present = try client.head(key)
    if trustsHash, let expectedHash, let present,
      present.isProven(size: facts.size, xxh64: expectedHash),
      lock?.isKept(by: present) != false
    {
      meter.skip(facts.size)
      return Outcome(
        size: facts.size, xxh64: expectedHash, wasPresent: true, notes: finish(journal))
    }
    let kept = journal?.entry(of: origin, lock: lock)
    let sums = if let kept { kept.sums } else { try read(plan, origin) }
    if let expectedHash, expectedHash != sums.xxh64 {
      throw ObjectStorageError(
        .sourceFailed,
        "\(source.name): is damaged: its xxHash64 is \(sums.xxh64), and was \(expectedHash); restore "
          + "it from a copy")
    }
    let verification = ObjectVerification(client: client, key: key, sums: sums)
    if let present {
      let isSame = try verification.isSame(present)
      guard isSame else { throw verification.isTaken }
      let notes = finish(journal)
      meter.skip(sums.size)
      if lock?.isKept(by: present) == false { try verification.confirm(lock: lock) }
      return Outcome(
        size: sums.size, xxh64: sums.xxh64, c4: sums.c4, wasPresent: true, notes: notes)
    }
    var notes: [String] = []
    let isOurs =
      if let journal {
        try sendParts(plan, sums, origin, journal, verification, &notes)
      } else {
        try sendWhole(plan, sums, verification, &notes)
      }
    try verification.confirm(lock: lock)
    guard try UploadJournal.Source(source.facts()) == origin else { throw .changed(source.name) }
    journal?.forget()
    return Outcome(
      size: sums.size, xxh64: sums.xxh64, c4: sums.c4, wasPresent: !isOurs, notes: notes)
  }

  /// Gives up what was begun for an object that exists already. If that fails, the journal stays, so that the next
  /// call tries again.
  ///
  /// - Returns: A note if it failed, because parts that stay are paid for.
  private func finish(_ journal: UploadJournal?) -> [String] {
    do throws(ObjectStorageError) {
      if let upload = journal?.entry?.upload { try client.abort(key, upload: upload) }
      journal?.forget()
      return []
    } catch {
      return [
        "\(source.name): an earlier upload cannot be aborted and takes up space: \(error.message)"
      ]
    }
  }

  private func read(
    _ plan: PartPlan, _ origin: UploadJournal.Source
  ) throws(ObjectStorageError) -> ContentChecksums {
    let check = listed.flatMap { FileCheck.Stream($0) }
    guard listed == nil || check != nil else {
      throw ObjectStorageError(.sourceFailed, "no memory to hash \(source.name)")
    }
    let sums = try ContentChecksums.of(source, plan, isCancelled: isCancelled) { check?.add($0) }
    guard try UploadJournal.Source(source.facts()) == origin else { throw .changed(source.name) }
    if let objection = check?.objection() {
      throw ObjectStorageError(
        .sourceFailed,
        "\(source.name): is damaged, by the card's own manifest: \(objection); restore it from a copy"
      )
    }
    return sums
  }

  // MARK: What goes along

  private func headers(_ sums: ContentChecksums) -> [(String, String)] {
    StorageClient.metadataHeaders(ObjectMetadata(sums).pairs) + (lock?.headers ?? [])
      + [("content-type", "application/octet-stream")]
  }

  private func partHeaders(_ sums: ContentChecksums, _ part: Int) -> [(String, String)] {
    [
      ("content-md5", Base64.encode(sums.partMD5[part])),
      ("x-amz-checksum-crc64nvme", CRC64NVME(value: sums.partCRC64[part]).base64),
    ]
  }

  // MARK: In one request

  /// - Returns: False if another sender created the object first, with the same bytes.
  private func sendWhole(
    _ plan: PartPlan, _ sums: ContentChecksums, _ verification: ObjectVerification,
    _ notes: inout [String]
  ) throws(ObjectStorageError) -> Bool {
    func put(_ condition: (String, String)?) throws(ObjectStorageError) -> Creation {
      try client.put(
        key, .file(source, plan.range(0)), headers: headers(sums) + partHeaders(sums, 0),
        condition: condition, onSent: { meter.sent($0) },
        hasArrived: { () throws(ObjectStorageError) in try verification.isThere() })
    }
    var creation = try put(("if-none-match", "*"))
    if case .noConditions = creation {
      notes.append(ObjectVerification.noConditions)
      guard try !verification.isThere() else { return false }
      creation = try put(nil)
    }
    return try judge(creation, verification)
  }

  private func judge(
    _ creation: Creation, _ verification: ObjectVerification
  ) throws(ObjectStorageError) -> Bool {
    switch creation {
    case .made: return true
    case .exists, .noUpload, .noConditions:
      guard try verification.isThere() else {
        try client.checkBucket(of: key)
        throw ObjectStorageError(
          .requestFailed, "\(client.subject(key)): the server lost it; run the command again")
      }
      return false
    }
  }

  // MARK: In parts

  private func sendParts(
    _ plan: PartPlan, _ sums: ContentChecksums, _ origin: UploadJournal.Source,
    _ journal: UploadJournal, _ verification: ObjectVerification, _ notes: inout [String]
  ) throws(ObjectStorageError) -> Bool {
    // An upload that the server forgets in the meantime is started again, but only a few times.
    for _ in 0..<3 {
      let (upload, arrived) = try begin(sums, origin, journal)
      let transfer = PartTransfer(
        client: client, key: key, upload: upload, source: source, plan: plan, sums: sums,
        meter: meter, headers: { partHeaders(sums, $0) })
      guard let tags = try transfer.run(arrived, connections: settings.connections) else {
        try forgetUpload(sums, origin, journal)
        continue
      }
      // On a server without conditional requests, this is the last chance to notice an object that
      // would be replaced.
      if try verification.isThere() { return false }
      func complete(_ isConditional: Bool) throws(ObjectStorageError) -> Creation {
        try client.complete(
          key, upload: upload, parts: tags,
          headers: [
            ("x-amz-checksum-crc64nvme", sums.crc.base64), ("x-amz-checksum-type", "FULL_OBJECT"),
          ], isConditional: isConditional,
          hasArrived: { () throws(ObjectStorageError) in try verification.isThere() })
      }
      var creation = try complete(true)
      if case .noConditions = creation {
        notes.append(ObjectVerification.noConditions)
        guard try !verification.isThere() else { return false }
        creation = try complete(false)
      }
      if case .noUpload = creation, try !verification.isThere() {
        try forgetUpload(sums, origin, journal)
        continue
      }
      return try judge(creation, verification)
    }
    throw ObjectStorageError(
      .requestFailed, "\(client.subject(key)): the server keeps losing the upload")
  }

  private func forgetUpload(
    _ sums: ContentChecksums, _ origin: UploadJournal.Source, _ journal: UploadJournal
  ) throws(ObjectStorageError) {
    try journal.keep(.init(target: target, source: origin, sums: sums, lock: lock))
  }

  /// Resumes the unfinished upload, or starts a new one.
  private func begin(
    _ sums: ContentChecksums, _ origin: UploadJournal.Source, _ journal: UploadJournal
  ) throws(ObjectStorageError) -> (upload: String, arrived: [Int: ArrivedPart]) {
    if let upload = journal.entry(of: origin, lock: lock)?.upload,
      let arrived = try client.parts(of: key, upload: upload)
    {
      return (upload, arrived)
    }
    try giveUpOthers(journal)
    var entry = UploadJournal.Entry(
      target: target, source: origin, sums: sums, lock: lock, isBeginning: true)
    try journal.keep(entry)
    let upload = try client.createUpload(
      key,
      headers: headers(sums) + [
        ("x-amz-checksum-algorithm", "CRC64NVME"), ("x-amz-checksum-type", "FULL_OBJECT"),
      ])
    (entry.isBeginning, entry.upload) = (false, upload)
    try journal.keep(entry)
    return (upload, [:])
  }

  /// Aborts uploads that would otherwise stay on the server, and be billed, forever: one of
  /// different bytes, or one that was being created when the process was killed.
  private func giveUpOthers(_ journal: UploadJournal) throws(ObjectStorageError) {
    if let old = journal.entry?.upload { try client.abort(key, upload: old) }
    guard journal.entry?.isBeginning == true else { return }
    try client.abortEmptyUploads(of: key)
  }
}
