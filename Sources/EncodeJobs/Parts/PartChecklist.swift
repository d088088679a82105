import MediaCore

/// Checks the parts of a source before they are joined.
struct PartChecklist {
  let job: EncodeJob
  let source: Int
  /// The fault of the movie joined from them; nil if none is known.
  var movieFault: String?

  /// The parts, if all exist, are intact and match at their seams.
  ///
  /// - Throws: ``EncodeJobError/Code/partMissing``, ``EncodeJobError/Code/partDamaged``,
  ///   ``EncodeJobError/Code/partsDiffer``.
  func complete() throws(EncodeJobError) -> [(folder: PartFolder, record: EncodePart)] {
    var parts: [(folder: PartFolder, record: EncodePart)] = []
    var missing: [Int] = []
    var removed: [Int] = []
    for number in job.plan.parts(of: source) {
      let folder = PartFolder(job: job, number: number)
      // Each frame is verified when it is copied.
      switch try folder.state(readsMovie: false) {
      case .complete(let record): parts.append((folder, record))
      // Its movie exists, but was damaged since.
      case .joined: removed.append(number)
      case .absent: missing.append(number)
      case .unusable(let reason):
        throw EncodeJobError(
          .partDamaged, "\(reason); make the part again")
      }
    }
    guard removed.isEmpty else {
      throw EncodeJobError(
        .partDamaged,
        "\(job.path(job.plan.sources[source].movie)) \(movieFault.map { "is damaged: \($0)" } ?? "is away"); "
          + "only it has the frames of parts \(PartNumbers(removed).text): make these parts again, "
          + "and join again")
    }
    guard missing.isEmpty else {
      throw EncodeJobError(
        .partMissing,
        "\(missing.count) of \(missing.count + parts.count) parts are missing: "
          + PartNumbers(missing).text)
    }
    try checkSeams(parts)
    return parts
  }

  /// Checks that each part's decoder produced the same first frame of the next part as that part's
  /// own.
  private func checkSeams(
    _ parts: [(folder: PartFolder, record: EncodePart)]
  ) throws(EncodeJobError) {
    for (one, next) in zip(parts, parts.dropFirst())
    where one.record.nextPicture != next.record.firstPicture {
      throw EncodeJobError(
        .partsDiffer,
        "parts \(one.folder.number) and \(next.folder.number), of \(one.record.work.host) and "
          + "\(next.record.work.host), decoded the frame where they meet differently: the source cannot "
          + "be cut there, or a machine decodes differently; encode it in one piece"
      )
    }
  }
}
