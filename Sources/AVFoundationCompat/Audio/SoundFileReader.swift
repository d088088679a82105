import AssetReader
import Foundation
import MediaCore

/// The sound of a file, frame after frame from any of them on, in which channels take turns.
struct SoundFileReader: Sendable {
  /// The form in which the file's sound is decoded.
  let stored: AudioFormat
  /// Frames of the file.
  private(set) var length: Int64
  /// The frame that is read next.
  private(set) var position: Int64 = 0
  /// How samples are given.
  private var format: AudioFormat
  private let track: AVAssetTrack
  /// The time of the first frame.
  private let origin: CMTime
  /// Its tracks do not hold it.
  private let asset: AVAsset
  /// Opened at the position with the next read; nil before, and after the position was set.
  private var reading: TrackReading?
  /// What was read and not given yet, behind the silence.
  private var waiting: ArraySlice<UInt8> = []
  /// Frames of silence, where the file has none of its own.
  private var silence: Int64 = 0

  /// How far the length that a container says may be off, in seconds: some round it to a millisecond.
  private static let tolerance = 0.005

  /// Opens the first track of sound.
  ///
  /// - Throws: What the reader says; ``AVError/Code/invalidSourceMedia`` for a file without sound, and
  ///   ``AVError/Code/operationNotSupportedForAsset`` for one that does not say how long it is.
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
      // What an encoder put before the sound has times below 0 in some files.
      let start = facts.startTime.isNumeric ? facts.startTime : .zero
      let frames = (facts.duration + min(start, .zero))
        .converted(toTimescale: Int32(clamping: stored.sampleRate))
      guard facts.duration.isNumeric, frames.isNumeric else {
        throw AVError(.operationNotSupportedForAsset, "\(name) does not say how long its sound is")
      }
      (self.asset, self.track, self.stored, format) = (asset, track, stored, stored)
      origin = max(start, .zero)
      length = max(frames.value, 0)
      return
    }
    throw AVError(.invalidSourceMedia, "\(name) has no sound")
  }

  /// Has samples given in another form.
  mutating func give(_ sampleFormat: AudioFormat.SampleFormat) {
    format.sampleFormat = sampleFormat
  }

  /// Goes to a frame: the nearest that there is.
  mutating func seek(to frame: Int64) {
    let frame = min(max(frame, 0), length)
    guard frame != position else { return }
    (position, reading, waiting, silence) = (frame, nil, [], 0)
  }

  /// The next frames: as many as there are, and none at the end.
  ///
  /// - Throws: What the reader says; ``AVError/Code/invalidSourceMedia`` where the file ends before its length.
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

  /// Reads until there is something to give; false at the end.
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
          track, .sound(stored: stored, wanted: format),
          CMTimeRange(start: start, duration: .positiveInfinity))
        self.reading = reading
      }
      guard let sample = try reading.next() else { return false }
      guard let sound = sample.audioBuffer else { continue }
      let place = (sample.presentationTimeStamp - origin).converted(toTimescale: rate)
      let lead = place.isNumeric ? max(place.value, 0) - position : 0
      silence = max(lead, 0)
      let surplus = min(max(-lead, 0), Int64(sound.frameCount))
      waiting = sound.bytes[...].dropFirst(Int(surplus) * format.bytesPerFrame)
    }
    return true
  }
}
