import MediaCore

/// The parts of a source, before they are joined.
struct PartChecklist {
  let job: EncodeJob
  let source: Int
  /// What is wrong with the movie that was joined of them; nil for nothing that is known.
  var movieFault: String?

  /// The parts, where all are there, whole and of one piece.
  ///
  /// - Throws: ``EncodeJobError/Code/partMissing``, ``EncodeJobError/Code/partDamaged``,
  ///   ``EncodeJobError/Code/partsDiffer``.
  func complete() throws(EncodeJobError) -> [(folder: PartFolder, record: EncodePart)] {
    var parts: [(folder: PartFolder, record: EncodePart)] = []
    var missing: [Int] = []
    var removed: [Int] = []
    for number in job.plan.parts(of: source) {
      let folder = PartFolder(job: job, number: number)
      // Each frame is compared when it is copied.
      switch try folder.state(readsMovie: false) {
      case .complete(let record): parts.append((folder, record))
      // Its movie is there, and was damaged since.
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
          + "it alone has the frames of parts \(PartNumbers(removed).text): make these parts again, "
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

  /// What one part's decoder saw of the next part's first picture must be what that part saw.
  private func checkSeams(
    _ parts: [(folder: PartFolder, record: EncodePart)]
  ) throws(EncodeJobError) {
    for (one, next) in zip(parts, parts.dropFirst())
    where one.record.nextPicture != next.record.firstPicture {
      throw EncodeJobError(
        .partsDiffer,
        "parts \(one.folder.number) and \(next.folder.number), of \(one.record.work.host) and "
          + "\(next.record.work.host), decoded the picture where they meet differently: the source cannot "
          + "be cut there, or a machine decodes otherwise; encode it in one piece"
      )
    }
  }
}
