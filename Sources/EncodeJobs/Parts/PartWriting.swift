import AssetReader
import AssetWriter
import Foundation
import MediaCore
import MovieExport
import QuickTime
import Synchronization

/// Encodes a part's frames into its own movie, consecutively at the source's frame rate, regardless
/// of their times.
struct PartWriting {
  /// What was recorded about the frames.
  struct Frames {
    var first = ""
    var next: String?
    var account: FrameAccount
    var captions: [EncodePart.Caption] = []
  }

  /// Checksums of what was written.
  struct Sums {
    var file = ""
    var fileSize: Int64 = 0
    var frames: [String] = []
  }

  private let opening: JobOpening
  private let rate: FrameRate
  private let timing: ExportTiming
  private let writer: AssetWriter
  private let receiver: AssetWriterInput.SampleBufferReceiver
  private let ended = EndedMovie()

  /// The checksums of the movie, which arrive on one of the writer's threads.
  private final class EndedMovie: Sendable {
    let sums = Mutex<(Segment, MovieChecksums?)?>(nil)
  }

  init(
    _ opening: JobOpening, _ source: EncodeJobPlan.Source, movie: String, threads: Int
  ) throws {
    self.opening = opening
    var settings = try opening.settings(restartInterval: source.restartInterval)
    settings.encoderThreads = min(max(threads, 1), 256)
    settings.gapPolicy = .extendPreviousFrame
    guard let rate = settings.frameRate else {
      throw EncodeJobError(.notDivisible, "\(source.input) has no frame rate")
    }
    self.rate = rate
    timing = try opening.timing()
    var configuration = AssetWriter.Configuration()
    configuration.takesChecksums = true
    configuration.writesTimecode = false
    // An incomplete part is made again anyway.
    configuration.synchronizesFragments = false
    writer = try AssetWriter(path: movie, configuration: configuration)
    writer.creationTime = source.creationUnixTime
    receiver = try writer.inputReceiver(
      for: AssetWriterInput(
        outputSettings: settings,
        sourceFormatHint: VideoFormatDescription(opening.shape.details)))
    writer.segmentHandler = { [ended] event in
      if case .ended(let segment, let sums) = event { ended.sums.withLock { $0 = (segment, sums) } }
    }
  }

  /// Decodes and encodes the part.
  ///
  /// - Parameters:
  ///   - schedule: The part's frames, by their indices in the source index.
  ///   - next: The next part's first frame; nil for none.
  mutating func run(
    _ index: SourceIndex, schedule: ArraySlice<Int>, next: Int?,
    onProgress: (@Sendable (Int, Int) -> Void)?
  ) async throws -> Frames {
    guard let first = schedule.first, let last = schedule.last else {
      return Frames(account: opening.account)
    }
    do {
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      let end = next ?? last
      let source = try SourceFrames(index, from: first, through: end, opening)
      return try await encode(source, index, schedule, through: end, next, onProgress)
    } catch {
      writer.cancelWriting()
      throw error
    }
  }

  private func encode(
    _ source: SourceFrames, _ index: SourceIndex, _ schedule: ArraySlice<Int>,
    through end: Int, _ next: Int?, _ onProgress: (@Sendable (Int, Int) -> Void)?
  ) async throws -> Frames {
    let filter = opening.filter()
    var form = opening.form()
    let start = timing.start(from: opening.first.sampleBuffer.presentationTimeStamp)
    var seen = Frames(account: opening.account)
    var looks = FrameAccount.Looks()
    var frame = schedule.startIndex
    while let (place, sample) = try source.nextPicture() {
      try Task.checkCancellation()
      guard let image = sample.sampleBuffer.imageBuffer else { continue }
      if place == next { seen.next = XXHash64.text(FrameDigest.digest(image)) }
      guard place < (next ?? .max) else { break }
      if let captions = sample.sideData.captions {
        seen.captions.append(
          EncodePart.Caption(
            picture: place, firstField: captions.firstField, secondField: captions.secondField))
      }
      if frame < schedule.endIndex, schedule[frame] == place {
        let number = frame - schedule.startIndex
        if number == 0 { seen.first = XXHash64.text(FrameDigest.digest(image)) }
        seen.account.take(sample, at: timing.shown(index.time(place) - start), &looks)
        let made = try formed(filtered(image, frame, filter), frame, &form)
        try await append(made, number)
        frame += 1
        onProgress?(number + 1, schedule.count)
      }
      if place >= end { break }
    }
    // Only for the first part: what precedes another part belongs to the previous part, which
    // reports it.
    if schedule.startIndex == 0 {
      seen.account.gapCount = seen.account.gapCount.addingSaturating(source.damageBefore)
    }
    return seen
  }

  /// - Parameter frame: The frame's index in the movie.
  private func filtered(
    _ image: PixelBuffer, _ frame: Int, _ filter: FrameFilter?
  ) throws -> PixelBuffer {
    guard let filter else { return image }
    let outputs = try filter.send(image, at: Int64(frame))
    guard outputs.count == 1 else {
      throw EncodeJobError(
        .notDivisible,
        "\(opening.session.location.displayName): the filters made \(outputs.count) frames from one"
      )
    }
    return outputs[0].frame
  }

  /// The frame in the form that the encoder takes.
  private func formed(
    _ image: PixelBuffer, _ frame: Int, _ form: inout FrameForm?
  ) throws(AssetReaderError) -> PixelBuffer {
    let name = opening.session.location.displayName
    if let change = image.details.encodedChange(from: opening.filtered) {
      throw .frameChange(change, at: rate.time(ofFrame: Int64(frame)), in: name)
    }
    return try form?.formed(image, of: name) ?? image
  }

  private func append(_ frame: PixelBuffer, _ number: Int) async throws {
    try await receiver.append(
      SampleBuffer(
        .video(frame), presentationTimeStamp: rate.time(ofFrame: Int64(number)),
        duration: rate.frameDuration))
  }

  /// Completes the movie.
  func finish() async throws -> Sums {
    do {
      try await writer.finishWriting()
    } catch {
      writer.cancelWriting()
      throw error
    }
    guard let (segment, known) = ended.sums.withLock({ $0 }), let sums = known else {
      throw EncodeJobError(.joinFailed, "a part's movie has no checksums")
    }
    let frames = sums.tracks.first { !$0.frames.isEmpty }?.frames ?? []
    return Sums(
      file: XXHash64.text(sums.file), fileSize: segment.fileSize,
      frames: frames.map(XXHash64.text))
  }
}
