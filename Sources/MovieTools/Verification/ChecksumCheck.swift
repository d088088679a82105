import AssetWriter
import MediaCore
import QuickTime
import TakeReports

/// Compares a movie with its sidecar's checksums: each frame, the audio, and the whole file.
struct ChecksumCheck {
  private let sums: TakeSidecar.Checksums
  private let sidecar: TakeSidecar
  private let index: MovieIndex
  private let file: any MovieByteSource
  private(set) var result: VerificationReport.Checksums
  private var firstFrame: Int?
  private var audioFindings: [String] = []
  /// The number of bytes read at a time.
  private static let pieceSize = 4 << 20

  /// Creates a check of a movie; nil if its sidecar has no checksums.
  init?(_ sidecar: TakeSidecar, path: String, _ index: MovieIndex, _ file: any MovieByteSource) {
    guard let sums = sidecar.checksums else { return nil }
    self.sums = sums
    self.sidecar = sidecar
    self.index = index
    self.file = file
    result = VerificationReport.Checksums(sidecar: path, state: sidecar.state.rawValue)
  }

  // MARK: Frames

  /// Compares the bytes of a frame.
  mutating func take(_ bytes: [UInt8], frame: Int) {
    guard frame < sums.frames.count else { return }
    result.frameCount += 1
    let sum = bytes.withUnsafeBytes { XXHash64.digest($0) }
    guard sum != sums.frames[frame].value else { return }
    result.framesDiffering += 1
    firstFrame = firstFrame ?? frame
  }

  // MARK: Audio

  private mutating func checkAudio() throws(QuickTimeError) {
    for track in sums.audio {
      let id = TrackID(rawValue: track.track)
      guard let found = index.track(id), found.mediaType == .audio else {
        audioFindings.append("audio track \(id) is not in the movie")
        continue
      }
      var first = 0
      var different: (first: Int, count: Int)?
      for run in track.runs {
        // Skipped, so that no file can make this loop endlessly.
        guard run.samples > 0 else { continue }
        let end = first + min(run.samples, found.samples.count - first)
        guard end > first else { break }
        let sum = try self.sum(of: found, first..<end)
        result.sampleCount += end - first
        if sum != run.xxHash64.value || end - first < run.samples {
          different = (different?.first ?? first, (different?.count ?? 0) + end - first)
        }
        first = end
      }
      let expected = track.runs.reduce(0) { sum, run in
        let (more, overflow) = sum.addingReportingOverflow(max(run.samples, 0))
        return overflow ? .max : more
      }
      if found.samples.count != expected {
        audioFindings.append(
          "audio track \(id) has \(found.samples.count) samples, \(expected) were written")
      }
      guard let different else { continue }
      result.samplesDiffering += different.count
      let rate = found.audio?.sampleRate ?? 0
      let seconds = rate > 0 ? Double(different.first) / rate : 0
      audioFindings.append(
        "audio track \(id) is not what was written, from sample \(different.first) "
          + "(\((seconds * 1000).rounded() / 1000) s) on, in runs of \(different.count) samples")
    }
  }

  /// The checksum of samples, which may be in several ranges.
  private func sum(
    of track: MovieIndex.Track, _ range: Range<Int>
  ) throws(QuickTimeError) -> UInt64 {
    var sum = XXHash64()
    for stretch in track.samples.byteRanges(of: range) {
      try read(stretch) { sum.update($0) }
    }
    return sum.digest
  }

  /// Reads a range in pieces, up to the end of the file.
  private func read(
    _ range: Range<UInt64>, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(QuickTimeError) {
    let size = Int(min(UInt64(Self.pieceSize), range.upperBound - range.lowerBound))
    guard size > 0 else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(UInt64(size), range.upperBound - offset))
      let count = try file.read(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
      guard count > 0 else { return }
      body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += UInt64(count)
    }
  }

  // MARK: The file

  /// Checks the whole file in one read.
  private mutating func checkFile(
    _ onProgress: (Double) -> Void
  ) throws(QuickTimeError) -> [String] {
    guard let wanted = sums.file, let written = sidecar.movie?.fileSize, written > 0 else {
      return []
    }
    let size = UInt64(written)
    var sum = XXHash64()
    var done: UInt64 = 0
    try read(0..<min(size, index.fileSize)) { bytes in
      sum.update(bytes)
      done += UInt64(bytes.count)
      onProgress(Double(done) / Double(size))
    }
    let agrees = sum.digest == wanted.value
    result.fileAgrees = agrees && index.fileSize == size
    if index.fileSize < size {
      return ["\(size - index.fileSize) of \(size) bytes at the end of the file are missing"]
    }
    var findings: [String] = []
    if index.fileSize > size {
      findings.append("\(index.fileSize - size) bytes were added at the end of the file")
    }
    guard !agrees else { return findings }
    return findings + (try regions())
  }

  /// Where the file differs, apart from frames and audio.
  private func regions() throws(QuickTimeError) -> [String] {
    var findings: [String] = []
    let known = [("the file's beginning", sums.head), ("the index ('moov')", sums.index)]
    for (name, region) in known {
      guard let region, region.offset <= index.fileSize, region.byteCount <= index.fileSize else {
        continue
      }
      var sum = XXHash64()
      let range = region.offset..<region.offset + region.byteCount
      try read(range) { sum.update($0) }
      if sum.digest != region.xxHash64.value {
        findings.append("\(name), \(Self.text(range)), is not what was written")
      }
    }
    if findings.isEmpty, result.framesDiffering == 0, result.samplesDiffering == 0 {
      findings.append(
        "the file is not what was written, between the frames: a fragment's header or padding; no "
          + "frame and no audio is affected")
    }
    return findings
  }

  /// The first and last byte, for messages.
  private static func text(_ bytes: Range<UInt64>) -> String {
    "bytes \(bytes.lowerBound) to \(max(bytes.upperBound, bytes.lowerBound + 1) - 1)"
  }

  // MARK: The end

  /// Checks the rest and reports the findings.
  mutating func finish(
    _ log: inout FindingLog, onProgress: (Double) -> Void
  ) throws(QuickTimeError) -> VerificationReport.Checksums {
    let count = index.videoTrack?.samples.count ?? 0
    if isOfAnotherMovie(count) {
      log.add(
        .error, .checksum,
        "\(result.sidecar) is the sidecar of another movie: \(sidecar.fileName), "
          + "\(sums.frames.count) frames, \(sidecar.movie?.fileSize ?? 0) bytes")
      return result
    }
    if count != sums.frames.count {
      log.add(
        .error, .checksum, "the movie has \(count) frames, \(sums.frames.count) were written")
    }
    if let frame = firstFrame, let sample = index.videoTrack?.samples[frame] {
      log.add(
        .error, .checksum,
        "\(Self.text(sample.offset..<sample.offset + UInt64(sample.size))) are not what was written",
        frame: frame, count: result.framesDiffering)
    }
    try checkAudio()
    for finding in audioFindings { log.add(.error, .checksum, finding) }
    for finding in try checkFile(onProgress) { log.add(.error, .checksum, finding) }
    return result
  }

  /// True if nothing matches: no frame, and not the file size.
  private func isOfAnotherMovie(_ count: Int) -> Bool {
    result.frameCount > 1 && result.framesDiffering == result.frameCount
      && sidecar.movie.map { UInt64(clamping: $0.fileSize) != index.fileSize } ?? true
  }
}
