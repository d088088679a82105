public import AssetReader
import MediaCore
import TestPattern

/// Measures the offset between audio and video in a movie of the pattern and tone devices, using
/// only the flashes and beeps of the decoded movie.
///
/// A flash counts only if the frame before it is the pattern's previous one, and a beep only if the
/// tone is present until it begins: others may be next to a loss.
public struct SyncMeasurement: Sendable {
  /// The number of flashes with a beep.
  public private(set) var count = 0
  /// The largest offset of a beep from its flash, in seconds.
  public private(set) var largest = 0.0
  /// The mean offset in seconds; positive if audio is late.
  public private(set) var mean = 0.0
  /// The offset of the first beep, in seconds.
  public private(set) var first = 0.0
  /// The offset of the last beep, in seconds.
  public private(set) var last = 0.0
  /// The number of flashes without a beep that counts.
  public private(set) var unmatched = 0

  private var flashes: [Double] = []
  private var beeps: [Double] = []

  /// Decodes a movie and measures it.
  ///
  /// - Throws: `AssetReaderError` if the movie cannot be read to its end.
  public init(path: String) throws(AssetReaderError) {
    let reader = try AssetReader(AssetLocation(path: path))
    var eye = FlashFinder()
    var ear = BeepFinder()
    let video = reader.videoTrack?.id
    let audioTrack = reader.audioTracks.first?.id
    while let sample = try reader.nextSample() {
      let time = sample.sampleBuffer.presentationTimeStamp.seconds
      if sample.trackID == video, let frame = sample.sampleBuffer.imageBuffer {
        if eye.sees(frame) { flashes.append(time) }
      } else if sample.trackID == audioTrack, let audio = sample.sampleBuffer.audioBuffer {
        ear.hear(audio, at: time) { beeps.append($0) }
      }
    }
    compare()
  }

  private mutating func compare() {
    var next = 0
    var sum = 0.0
    for flash in flashes {
      while next < beeps.count, beeps[next] < flash - 0.45 { next += 1 }
      guard next < beeps.count, beeps[next] < flash + 0.45 else {
        unmatched += 1
        continue
      }
      let offset = beeps[next] - flash
      if count == 0 { first = offset }
      last = offset
      largest = max(largest, offset.magnitude)
      sum += offset
      count += 1
    }
    mean = count > 0 ? sum / Double(count) : 0
  }
}

/// Finds the first frame of each flash.
private struct FlashFinder {
  private var wasLit = false
  private var number: UInt32?

  mutating func sees(_ frame: PixelBuffer) -> Bool {
    let isLit = PatternFlash.isLit(in: frame)
    let now = PatternFrameNumber.read(from: frame)
    defer {
      wasLit = isLit
      number = now
    }
    guard isLit, !wasLit, let now, let number else { return false }
    return now == number &+ 1
  }
}

/// Finds the first sample of each beep in the first channel.
private struct BeepFinder {
  /// Full scale is 1; the tone has 0.1, the beep 0.5.
  private static let loud = 0.3
  private static let faint = 0.01

  /// The samples before the current one.
  private var past: [Double] = []
  private var place = 0
  private var quiet = 0

  mutating func hear(_ audio: AudioBuffer, at time: Double, _ found: (Double) -> Void) {
    let rate = audio.format.sampleRate
    let width = audio.format.sampleFormat.byteCount
    if past.isEmpty { past = [Double](repeating: 0, count: max(rate / 400, 16)) }
    audio.bytes.withUnsafeBytes { bytes in
      for frame in 0..<audio.frameCount {
        let start = frame * audio.format.bytesPerFrame
        var code: UInt32 = 0
        for byte in 0..<width {
          code |= UInt32(bytes[start + byte]) << UInt32(8 * (4 - width + byte))
        }
        let level = Double(Int32(bitPattern: code)).magnitude / 2_147_483_648
        if level > Self.loud {
          if quiet > rate / 100, heardTone {
            // The sine starts at zero and is loud after a tenth of its period.
            found(time + Double(frame) / Double(rate) - 0.1 / Double(ToneGenerator.beepFrequency))
          }
          quiet = 0
        } else {
          quiet += 1
        }
        past[place] = level
        place = (place + 1) % past.count
      }
    }
  }

  /// True if the tone was present until the beep's first samples.
  private var heardTone: Bool {
    (0..<past.count - 8).contains { past[(place + $0) % past.count] > Self.faint }
  }
}
