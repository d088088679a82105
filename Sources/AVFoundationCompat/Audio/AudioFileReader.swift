import AssetReader
import Foundation
import MediaCore

/// Reads a file's audio as interleaved frames, starting at any frame.
struct AudioFileReader: Sendable {
  /// The format to which the file's audio is decoded.
  let stored: AudioFormat
  /// Frames in the file.
  private(set) var length: Int64
  /// The next frame to read.
  private(set) var position: Int64 = 0
  /// The format of delivered samples.
  private var format: AudioFormat
  private let track: AVAssetTrack
  /// The time of the first frame.
  private let origin: CMTime
  /// Kept because tracks do not retain their asset.
  private let asset: AVAsset
  /// Opened at the position by the next read; nil until then and after a seek.
  private var reading: TrackReading?
  /// Read but not yet delivered; follows the silence.
  private var waiting: ArraySlice<UInt8> = []
  /// Frames of silence to deliver where the file has a gap.
  private var silence: Int64 = 0

  /// Tolerance of a container's stated duration, in seconds: some round it to a millisecond.
  private static let tolerance = 0.005

  /// Opens the first audio track.
  ///
  /// - Throws: The reader's error; ``AVError/Code/invalidSourceMedia`` for a file without audio, and
  ///   ``AVError/Code/operationNotSupportedForAsset`` for one that does not give its duration.
  init(_ url: URL) throws(AVError) {
    guard url.isFileURL else {
      throw AVError(.operationNotAllowed, "\(url) does not name a file; give a file URL")
    }
    let asset = AVURLAsset(url: url)
    let name = url.lastPathComponent
    for track in try asset.contents().tracks {
      guard let facts = track.facts, case .audio(let stored) = facts.formatDescription else {
        continue
      }
      // In some files the encoder's priming has negative times.
      let start = facts.startTime.isNumeric ? facts.startTime : .zero
      let frames = (facts.duration + min(start, .zero))
        .converted(toTimescale: Int32(clamping: stored.sampleRate))
      guard facts.duration.isNumeric, frames.isNumeric else {
        throw AVError(
          .operationNotSupportedForAsset, "\(name) does not give the duration of its audio")
      }
      (self.asset, self.track, self.stored, format) = (asset, track, stored, stored)
      origin = max(start, .zero)
      length = max(frames.value, 0)
      return
    }
    throw AVError(.invalidSourceMedia, "\(name) has no audio")
  }

  /// Sets the format of delivered samples.
  mutating func give(_ sampleFormat: AudioFormat.SampleFormat) {
    format.sampleFormat = sampleFormat
  }

  /// Moves to a frame, clamped to the file's range.
  mutating func seek(to frame: Int64) {
    let frame = min(max(frame, 0), length)
    guard frame != position else { return }
    (position, reading, waiting, silence) = (frame, nil, [], 0)
  }

  /// The next frames: fewer near the end, none at the end.
  ///
  /// - Throws: The reader's error; ``AVError/Code/invalidSourceMedia`` if the file ends before its length.
  mutating func read(_ count: Int) throws(AVError) -> [UInt8] {
    let width = format.bytesPerFrame
    var bytes: [UInt8] = []
    while bytes.count < count * width, try fill() {
      let room = count - bytes.count / width
      if silence > 0 {
        let frames = min(silence, Int64(room))
        bytes += repeatElement(0, count: Int(frames) * width)
        silence -= frames
        position += frames
      } else {
        let part = waiting.prefix(room * width)
        bytes += part
        waiting = waiting.dropFirst(part.count)
        position += Int64(part.count / width)
      }
    }
    if bytes.isEmpty, count > 0, position < length {
      let missing = length - position
      length = position
      guard Double(missing) <= Self.tolerance * Double(format.sampleRate) else {
        throw AVError(
          .invalidSourceMedia, "\(asset.displayName) ends \(missing) frames before its length")
      }
    }
    return bytes
  }

  /// Reads until something can be delivered; false at the end.
  private mutating func fill() throws(AVError) -> Bool {
    let rate = Int32(clamping: format.sampleRate)
    while silence == 0, waiting.isEmpty {
      guard position < length else { return false }
      let reading: TrackReading
      if let open = self.reading {
        reading = open
      } else {
        let start = origin + CMTime(value: position, timescale: rate)
        reading = try TrackReading(
          track, .audio(stored: stored, wanted: format),
          CMTimeRange(start: start, duration: .positiveInfinity))
        self.reading = reading
      }
      guard let sample = try reading.next() else { return false }
      guard let audio = sample.audioBuffer else { continue }
      let place = (sample.presentationTimeStamp - origin).converted(toTimescale: rate)
      let lead = place.isNumeric ? max(place.value, 0) - position : 0
      silence = max(lead, 0)
      let surplus = min(max(-lead, 0), Int64(audio.frameCount))
      waiting = audio.bytes[...].dropFirst(Int(surplus) * format.bytesPerFrame)
    }
    return true
  }
}
