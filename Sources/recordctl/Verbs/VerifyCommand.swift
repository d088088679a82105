import ASCMHL
import ArgumentParser
import MediaCore
import MovieTools
import ObjectStorage
import VideoRecorder

/// `recordctl verify FILE`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verifies a movie: container, bitstream, timing, color, timecode and audio.",
    discussion: """
      Parses the index independently of libavformat, checks each frame and each code word against \
      RDD 36 and the index, and decodes everything else. As a second opinion, libavcodec decodes \
      one ProRes frame in 32 and every frame with a finding. If the movie has a sidecar \
      (FILE.json), each frame, the audio and the whole file are compared with its checksums. The \
      exit status is 0 if nothing is wrong, 1 if something is.

      A finding marked 'standard' breaks a rule of RDD 36 or QuickTime; one marked 'unlike Apple' \
      only differs from Apple's files. A movie that decoders can read despite its findings is \
      valid.

      With --copy, the copies of the movie and its sidecar in object storage are verified instead, \
      against the checksums in the sidecar: by size and by the checksums that the server computed, \
      or with --read by reading the objects.
      """)

  @Argument(help: "Movie file.", completion: .file(extensions: ["mov"]))
  var file: String

  @Flag(
    help: "Check only the index, the frame headers and sizes, and the sidecar's checksums.")
  var quick = false

  @Flag(help: "Have libavcodec decode every ProRes frame; takes about four times as long.")
  var secondOpinion = false

  @Option(help: "Verify the copy at this address in object storage: s3://BUCKET/PREFIX.")
  var copy: String?

  @Flag(help: "With --copy: read the objects.")
  var read = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !secondOpinion || (!quick && copy == nil) else {
      throw ValidationError("--second-opinion needs a full check; leave out --quick and --copy")
    }
    guard let copy else {
      guard !read else { throw ValidationError("--read needs --copy") }
      return
    }
    guard !quick else {
      throw ValidationError("--quick checks the local movie; leave it out with --copy")
    }
    guard try StorageArguments.address(copy) != nil else {
      throw ValidationError("--copy: '\(copy)' is not an address; write s3://BUCKET/PREFIX")
    }
  }

  func run() throws {
    if let address = try copy.flatMap({ try StorageArguments.address($0) }) {
      return try verifyCopy(at: address)
    }
    let progress = ProgressLine()
    var verifier = MovieVerifier(path: file)
    verifier.depth = quick ? .quick : .full
    verifier.decodesTwice = secondOpinion
    verifier.onProgress = { share in
      progress.show { "verifying \(file): \(Int(share * 100)) %" }
    }
    let result = Result { try verifier.run() }
    progress.clear()
    let report = try result.get()
    if json {
      try Console.print(JSONDocument(.verification, report, MovieVerdict(report)))
    } else {
      Console.print(Self.lines(report))
    }
    if !report.isValid { throw ExitStatus.failure.exit }
  }

  private func verifyCopy(at address: ObjectAddress) throws {
    var verification = FileCopyVerification(
      of: file, at: address, account: try StorageAccount())
    verification.readsObjects = read
    let report = try verification.run()
    if json {
      try Console.print(JSONDocument(.copyVerification, report, Verdict(isValid: report.isSound)))
    } else {
      Console.print(CopyText.lines(report))
    }
    if !report.isSound { throw ExitStatus.failure.exit }
  }

  private static func checksums(_ sums: VerificationReport.Checksums) -> String {
    let name = sums.sidecar.pathName
    let frames = sums.frameCount - sums.framesDiffering
    return "\(name), \(sums.state): \(frames) of \(sums.frameCount) frames agree"
      + (sums.sampleCount > 0
        ? ", \(sums.sampleCount - sums.samplesDiffering) of \(sums.sampleCount) audio samples"
        : "")
      + (sums.fileAgrees.map { $0 ? ", the file agrees" : ", the file DIFFERS" } ?? "")
  }

  /// How much longer than the video the audio is, in seconds.
  private static func length(_ excess: Double) -> String {
    let text = Quantity.milliseconds(abs(excess) * 1000)
    return text == Quantity.milliseconds(0)
      ? "as long as the video" : "\(text) \(excess < 0 ? "shorter" : "longer") than the video"
  }

  /// How complete a movie is, for people.
  private static func words(for completion: String) -> String {
    completion == "lostIndex" ? "without its index" : completion
  }

  static func lines(_ report: VerificationReport) -> [String] {
    var table = TextTable()
    table.add(
      "file",
      "\(report.path), \(Quantity.bytes(Int64(clamping: report.fileSize))), "
        + "\(Quantity.seconds(report.duration)), \(Self.words(for: report.completion))")
    if let video = report.video { add(video, of: report, to: &table) }
    for audio in report.audio {
      table.add(
        "audio",
        "\(audio.codec), \(Quantity.number(audio.sampleRate, 0)) Hz, \(audio.channelCount) channels, "
          + "\(audio.bitDepth) bits, \(length(audio.excess))")
    }
    table.add("timecode", report.startTimecode ?? "none")
    table.add("checksums", report.checksums.map(checksums) ?? "none to compare with")
    let verdict =
      !report.isValid
      ? "NOT valid"
      : report.isAsApple
        ? "valid"
        : report.followsStandard
          ? "valid; not as Apple writes it"
          : "valid; breaks rules of the standard that decoders do not insist on"
    return table.lines + report.findings.map(line) + [verdict]
  }

  private static func add(
    _ video: VerificationReport.Video, of report: VerificationReport, to table: inout TextTable
  ) {
    table.add(
      "video",
      "\(video.codecName) \(video.width)x\(video.height), \(video.frameRate ?? "varying rate"), "
        + "\(video.fieldOrder?.displayName ?? "unknown field order"), "
        + "color \(video.color ?? "unknown"), encoder '\(video.encoderIdentifier)'")
    let decoded =
      report.depth == .quick
      ? "not decoded"
      : "of which \(report.framesDecoded) decode"
        + (report.framesDecodedByLibavcodec < report.framesDecoded
          ? ", \(report.framesDecodedByLibavcodec) by libavcodec as well" : "")
    table.add(
      "frames",
      "\(video.frameCount), \(decoded)"
        + (video.framesRepeated > 0 ? ", \(video.framesRepeated) repeated" : ""))
    let target = video.targetFrameBytes.map { bytes in
      ", largest frame \(Quantity.bytes(Int64(video.largestFrameBytes))) "
        + "(Apple's target: \(Quantity.bytes(Int64(bytes))))"
    }
    table.add("rate", Quantity.bitRate(video.bitRate) + (target ?? ""))
  }

  private static func line(_ finding: VerificationReport.Finding) -> String {
    let place = finding.frame.map { frame in
      "frame \(frame)" + (finding.timecode.map { " (\($0))" } ?? "")
        + (finding.count > 1 ? " and \(finding.count - 1) more: " : ": ")
    }
    let rule =
      switch finding.rule {
      case .standard: " (standard)"
      case .apple: " (unlike Apple)"
      case nil: ""
      }
    return "\(finding.severity): \(finding.check): \(place ?? "")"
      + Remedies.spoken(finding.message) + rule
  }
}

/// How a movie that was judged stands, in the JSON of `verify`.
private struct MovieVerdict: Encodable {
  let isValid: Bool
  let followsStandard: Bool
  let isAsApple: Bool

  init(_ report: VerificationReport) {
    isValid = report.isValid
    followsStandard = report.followsStandard
    isAsApple = report.isAsApple
  }
}
