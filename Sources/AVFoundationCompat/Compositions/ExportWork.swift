import AssetReader
import Dispatch
import Foundation
import MediaCore
import MovieExport
import QuickTime
import Synchronization

/// The work of an export session.
enum ExportWork: Sendable {
  /// A file is encoded and keeps its metadata.
  case conversion(AssetExportSession)
  /// Frames are copied unchanged.
  case copy(TimelineCopy, notes: [String])
  /// A composition, or a file with different metadata, is encoded.
  case encoding(TimelineEncoding, notes: [String])

  /// Chooses the work for an order.
  init(_ order: ExportOrder) throws(AVError) {
    if let session = order.conversion {
      self = .conversion(session)
      return
    }
    let timeline = try order.asset.timeline(in: order.range)
    let contents = try order.asset.contents()
    var items = order.metadata ?? contents.metadata
    var notes = try order.asset.omittedTracks()
    if let (kept, dropped) = order.metadataFilter?.apply(to: items), !dropped.isEmpty {
      items = kept
      notes.append("metadata dropped by the filter: \(dropped.joined(separator: ", "))")
    }
    let facts = try MovieMetadata(items)
    guard var encoding = order.preset.encoding(of: timeline, to: order.path) else {
      if order.videoComposition != nil {
        notes.append("the video composition is dropped: frames are copied unchanged")
      }
      if order.audioMix != nil {
        notes.append("the audio mix is dropped: samples are copied unchanged")
      }
      var copy = TimelineCopy(timeline, outputPath: order.path)
      copy.metadata = facts
      copy.creationTime = contents.index?.creationTime
      self = .copy(copy, notes: notes)
      return
    }
    encoding.metadata = facts
    encoding.fileType = order.fileType
    encoding.mix = try order.mix(of: timeline)
    if let kept = order.videoComposition {
      let composition = kept.composition
      encoding.composition = try composition.native(
        for: order.asset, timeline, from: order.range.firstTime, kept.compositor)
      notes += [composition.colorNote(for: order.asset), composition.sizeNote].compactMap(\.self)
    }
    self = .encoding(encoding, notes: notes)
  }

  /// Runs the export.
  ///
  /// - Parameter onProgress: Called with the progress, from 0 to 1.
  /// - Returns: Notes on what the movie lacks, changes or assumes, one line each.
  func run(onProgress: @escaping @Sendable (Double) -> Void) async throws(AVError) -> [String] {
    do {
      switch self {
      case .conversion(var session):
        session.onProgress = { progress in
          guard let total = progress.totalFrames, total > 0 else { return }
          onProgress(Double(progress.frames) / Double(total))
        }
        return try await Self.outcome(of: session)
      case .copy(let copy, let notes):
        return try await notes + Self.outcome(of: copy, onProgress)
      case .encoding(var encoding, let notes):
        encoding.onProgress = onProgress
        return try await notes + encoding.run().map(\.message)
      }
    } catch is CancellationError {
      throw AVError(.operationCancelled, "the export was cancelled")
    } catch { throw AVError(error) }
  }

  private static func outcome(of session: AssetExportSession) async throws -> [String] {
    let outcome = try await session.export()
    if outcome.wasCancelled {
      try? FileManager.default.removeItem(atPath: session.outputPath)
      throw CancellationError()
    }
    if let end = outcome.prematureEnd { throw end }
    return outcome.notes.map(\.message)
  }

  /// Copies on a thread that may block on a disk.
  private static func outcome(
    of copy: TimelineCopy, _ onProgress: @escaping @Sendable (Double) -> Void
  ) async throws -> [String] {
    var copy = copy
    let stop = StopMark()
    copy.onProgress = { part in
      onProgress(part)
      return !stop.isSet
    }
    let work = copy
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(with: Result { try work.run().notes.map(\.message) })
        }
      }
    } onCancel: {
      stop.set()
    }
  }
}

/// Signals that work should stop.
private final class StopMark: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}

extension CMTimeRange {
  /// The time at which reading begins: 0 if the start is not numeric or is negative.
  var firstTime: CMTime { start.isNumeric ? max(start, .zero) : .zero }
}

extension AVAsset {
  /// The asset's content within a range, shifted to start at 0.
  ///
  /// - Throws: ``AVError`` if the file cannot be read.
  func timeline(in range: CMTimeRange) throws(AVError) -> MovieTimeline {
    let start = range.firstTime
    var tracks: [MovieTimeline.Track] = []
    for track in try contents().tracks {
      let end = range.duration.isNumeric ? min(range.end, track.timeRange.end) : track.timeRange.end
      let first = max(start, track.timeRange.start)
      // Tracks that are empty in the range keep their indexes.
      let range = CMTimeRange(start: first, end: max(first, end))
      let clips = (first < end ? track.clips(in: range) : []).map { clip in
        var moved = clip
        moved.target.start = clip.target.start - start
        return moved
      }
      var placed = MovieTimeline.Track(mediaType: track.mediaType, clips: clips)
      placed.quarterTurns = track.preferredTransform.quarterTurns ?? 0
      placed.language = track.languageCode
      placed.isEnabled = track.isEnabled
      tracks.append(placed)
    }
    return MovieTimeline(tracks: tracks)
  }

  /// What an exported movie loses of the asset's tracks, one line each: tracks of other media types, transforms that
  /// are not quarter turns, and disabled video tracks.
  func omittedTracks() throws(AVError) -> [String] {
    let contents = try contents()
    let turned = contents.tracks.filter {
      $0.mediaType == .video && $0.preferredTransform.quarterTurns == nil
    }
    return try otherOmittedTracks()
      + contents.tracks.filter { $0.mediaType == .video && !$0.isEnabled }.map {
        "track \($0.trackID) is off, and on in the movie"
      }
      + turned.map { "the transform of track \($0.trackID) is dropped: it is not a quarter turn" }
  }

  /// The file's tracks that are not video, audio or timecode, one line each.
  func otherOmittedTracks() throws(AVError) -> [String] {
    (try contents().index?.tracks ?? []).filter {
      ![.video, .audio, .timecode].contains($0.mediaType)
    }.map {
      "track \($0.id) (\($0.codec)) dropped: only video, audio and timecode are exported"
    }
  }
}
