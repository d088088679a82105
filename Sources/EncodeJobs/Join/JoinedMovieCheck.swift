import AssetWriter
import MediaCore
import MovieTools
import ProRes
import QuickTime
import TakeReports

/// Verifies a joined movie in one read: each frame against its encoder's checksum, audio and
/// everything else against what was written, or an existing movie as a whole against its sidecar.
///
/// Frames that match are not decoded; the first one of each part is checked against the movie's
/// sample description.
struct JoinedMovieCheck {
  /// The movie's path.
  let path: String
  /// The frames' checksums from the parts' records, some of which may be repeated in the movie; nil
  /// to use the sidecar's.
  var frames: [UInt64]?
  /// The indices of the frames that begin parts.
  var beginnings: Set<Int> = [0]
  /// Checksums of what was written; nil for an existing movie.
  var written: MovieChecksums?

  /// The result.
  enum Verdict {
    case whole
    /// A frame does not match its encoder's checksum: its index in the movie, and among the parts'
    /// frames.
    case frameDiffers(Int, of: Int)
    /// Any other fault, as a message.
    case invalid(String)
  }

  /// - Throws: `QuickTimeError`, `CaptureError` if the movie or its sidecar cannot be read.
  func run() throws -> Verdict {
    let opened = try PosixMovieFile(path: path, mode: .read)
    let index = try MovieIndex(opened)
    var log = FindingLog()
    let container = ContainerCheck(index: index)
    container.run(&log)
    let isPlausible = container.isPlausible(&log)
    for track in index.audioTracks { _ = container.audio(track, &log) }
    if let finding = log.sorted.first, finding.severity == .error {
      return .invalid(finding.message)
    }
    guard isPlausible, let video = index.videoTrack else { return .invalid("no video") }
    guard let sidecar = try SidecarFile(ofMovie: path).read(), let sums = sidecar.checksums,
      let whole = sums.file, let movie = sidecar.movie
    else { return .invalid("no sidecar with checksums") }
    let written = sums.frames.map(\.value)
    guard video.samples.count == written.count else {
      return .invalid(
        "\(video.samples.count) frames instead of the \(written.count) of its sidecar")
    }
    guard let origins = Self.origins(of: written, in: frames ?? written) else {
      return .invalid("its sidecar lists different frames than the parts")
    }
    guard index.fileSize == UInt64(clamping: movie.fileSize) else {
      return .invalid("\(index.fileSize) bytes instead of \(movie.fileSize)")
    }
    var stretches = FileStretches(index.fileSize)
    for (number, sample) in video.samples.enumerated() {
      stretches.add(
        sample.offset..<sample.offset + UInt64(sample.size), of: .frame(number),
        expecting: written[number])
    }
    for audio in sums.audio {
      guard add(audio, of: index, to: &stretches) else {
        return .invalid("audio track \(audio.track) is not what was written")
      }
    }
    if let known = self.written {
      guard known.file == whole.value else { return .invalid("another movie's sidecar") }
      for region in [known.head, known.index] {
        stretches.add(
          region.offset..<region.offset + region.byteCount, of: .other, expecting: region.value)
      }
    }
    return try read(opened, stretches, video, whole.value, origins)
  }

  /// The index of each frame of a movie among those of the parts. Nil unless the movie has all of
  /// them in order, some possibly repeated.
  static func origins(of written: [UInt64], in frames: [UInt64]) -> [Int]? {
    var origins: [Int] = []
    origins.reserveCapacity(written.count)
    var next = 0
    for sum in written {
      if next < frames.count, frames[next] == sum {
        next += 1
      } else if next == 0 || frames[next - 1] != sum {
        return nil
      }
      origins.append(next - 1)
    }
    return next == frames.count ? origins : nil
  }

  /// Adds the runs of a track; false if the movie has other samples.
  private func add(
    _ audio: TakeSidecar.Checksums.Audio, of index: MovieIndex, to stretches: inout FileStretches
  ) -> Bool {
    guard let track = index.track(TrackID(rawValue: audio.track)) else { return false }
    var first = 0
    for run in audio.runs {
      guard run.samples > 0, run.samples <= track.samples.count - first else { return false }
      let ranges = track.samples.byteRanges(of: first..<first + run.samples)
      stretches.add(ranges, of: .audio(audio.track), expecting: run.xxHash64.value)
      first += run.samples
    }
    return first == track.samples.count
  }

  private func read(
    _ opened: PosixMovieFile, _ planned: FileStretches, _ track: MovieIndex.Track, _ whole: UInt64,
    _ origins: [Int]
  ) throws -> Verdict {
    let file = UncachedMovieFile(opened, path: path)
    var stretches = planned
    guard stretches.sort() else { return .invalid("samples that share their bytes") }
    stretches.framesWanted = Set(origins.indices.filter { beginnings.contains(origins[$0]) })
    let checker = FrameChecker(decodesSlices: false)
    let expectation = FrameExpectation(track)
    var fault: String?
    // If all stretches match what was written, so does the whole file, whose checksum was taken
    // then.
    var sum: XXHash64? = written == nil ? XXHash64() : nil
    try file.readAll { bytes in
      sum?.update(bytes)
      stretches.take(bytes) { number, bytes in
        let report = checker.check(bytes, expecting: expectation)
        guard fault == nil,
          let finding = report.findings.first(where: { $0.severity == .error })
        else { return }
        fault = "frame \(number): \(finding.message)"
      }
    }
    switch stretches.firstDifference {
    case .frame(let number)?: return .frameDiffers(number, of: origins[number])
    case .audio(let track)?: return .invalid("audio track \(track) is not what was written")
    case .other?: return .invalid("its header or index is not what was written")
    case nil: break
    }
    guard sum.map({ $0.digest == whole }) ?? (stretches.rest == written?.rest) else {
      return .invalid("the file is not what was written")
    }
    return fault.map { .invalid($0) } ?? .whole
  }
}
