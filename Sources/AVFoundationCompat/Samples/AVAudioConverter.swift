import AssetWriter
public import Foundation
import MediaCore

/// Packets of audio: frames, in linear PCM.
public typealias AVAudioPacketCount = UInt32

/// What a converter's input has.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// A buffer.
  case haveData = 0
  /// Nothing at this moment.
  case noDataNow = 1
  /// Nothing any more.
  case endOfStream = 2
}

/// What a converter gave.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The buffer is as full as the input allows.
  case haveData = 0
  /// The input had too little to fill the buffer.
  case inputRanDry = 1
  /// The input has ended, and all of it was given.
  case endOfStream = 2
  /// It failed.
  case error = 3
}

/// Gives a converter its input: told the frames that are wanted, it says what there is.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// Brings linear PCM to another rate, another number of channels and another form, by libswresample, and from or to
/// packets of AAC or Apple Lossless, by libavcodec.
public final class AVAudioConverter {
  /// What goes in.
  public let inputFormat: AVAudioFormat
  /// What comes out.
  public let outputFormat: AVAudioFormat
  var converter: SoundConverter
  var coding = PacketCoding()
  /// What came out and had no room, channels taking turns.
  private var waiting: [UInt8] = []
  var hasEnded = false
  /// The input's channel that each of the output's is; nil for those of a mix.
  private var map: [Int]?

  /// A converter.
  ///
  /// Channels are mixed if their numbers differ and neither is above 8. Others keep their places, as a ``channelMap``
  /// says: those that the output has not are left out, and those that the input has not are silent.
  ///
  /// - Returns: Nil if there is no way from one to the other.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard fromFormat.channelCount > 0, toFormat.channelCount > 0,
      fromFormat.compression == nil || toFormat.compression == nil
    else { return nil }
    (inputFormat, outputFormat) = (fromFormat, toFormat)
    let (arriving, channels) = (Int(fromFormat.channelCount), Int(toFormat.channelCount))
    // Versions of libswresample differ in which layouts of more channels they mix.
    if arriving == channels || max(arriving, channels) <= 8,
      let converter = SoundConverter(from: fromFormat.format, to: toFormat.format)
    {
      self.converter = converter
      return
    }
    var mapped = fromFormat.format
    mapped.channelCount = channels
    guard let converter = SoundConverter(from: mapped, to: toFormat.format) else { return nil }
    self.converter = converter
    map = (0..<channels).map { $0 < arriving ? $0 : -1 }
  }

  /// True if a channel map is in force.
  var isMapped: Bool { map != nil }

  /// The input's channel, from 0, that each channel of the output is; a negative number for silence. Set, nothing is
  /// mixed, and a new stream begins. A list without a number for each of the output's channels, or with a channel that
  /// the input has not, changes nothing.
  public var channelMap: [NSNumber] {
    get { (map ?? Array(0..<Int(outputFormat.channelCount))).map { NSNumber(value: $0) } }
    set {
      let channels = newValue.map(\.intValue)
      guard channels.count == Int(outputFormat.channelCount),
        channels.allSatisfy({ $0 < Int(inputFormat.channelCount) })
      else { return }
      map = channels
      reset()
    }
  }

  /// The input's channels as the map has them.
  func mapped(_ sound: MediaCore.AudioBuffer) -> MediaCore.AudioBuffer {
    map.map { sound.withChannels($0) } ?? sound
  }

  /// What comes out for a run of audio; nil for nothing yet, which is so at another rate alone.
  ///
  /// - Throws: ``AVError/Code/unknown`` if the audio was lost.
  func converted(_ sound: MediaCore.AudioBuffer) throws(AVError) -> MediaCore.AudioBuffer? {
    try Self.checked(converter.convert(sound), of: sound, for: outputFormat.format)
  }

  /// What a converter gave, unless it should have given more.
  static func checked(
    _ made: MediaCore.AudioBuffer?, of sound: MediaCore.AudioBuffer, for target: AudioFormat
  ) throws(AVError) -> MediaCore.AudioBuffer? {
    guard sound.format.sampleRate == target.sampleRate else { return made }
    let count = made?.frameCount ?? 0
    guard count == sound.frameCount else {
      throw AVError(
        .unknown, "of \(sound.frameCount) frames the sound converter gave \(count)")
    }
    return made
  }

  /// Forgets what came before: what comes next begins a stream.
  public func reset() {
    var source = inputFormat.format
    source.channelCount = map?.count ?? source.channelCount
    if let fresh = SoundConverter(from: source, to: outputFormat.format) { converter = fresh }
    (waiting, hasEnded) = ([], false)
    coding.reset()
  }

  /// Converts a buffer at once, where the rate stays.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for another rate, which takes a stream, for buffers of other
  ///   formats than the converter's, and for too little room; ``AVError/Code/unknown`` if the audio is not
  ///   converted, and the output buffer is empty.
  public func convert(
    to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer
  ) throws {
    guard inputFormat.sampleRate == outputFormat.sampleRate else {
      throw AVError(
        .operationNotAllowed,
        "a buffer is not brought to another rate by itself; use convert(to:error:withInputFrom:)")
    }
    guard inputBuffer.format == inputFormat, outputBuffer.format == outputFormat else {
      throw AVError(.operationNotAllowed, "the buffers' formats are not the converter's")
    }
    guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
      throw AVError(
        .operationNotAllowed,
        "\(inputBuffer.frameLength) frames do not fit into room for \(outputBuffer.frameCapacity)")
    }
    let (sound, count) = (inputBuffer.interleaved(), inputBuffer.frameLength)
    // A buffer may be both.
    outputBuffer.frameLength = 0
    guard count > 0 else { return }
    guard let sound, let made = try converted(mapped(sound)) else {
      throw AVError(.unknown, "\(count) frames could not be converted")
    }
    outputBuffer.fill(made.bytes[...])
  }

  /// Fills a buffer with what a stream becomes.
  ///
  /// - Parameters:
  ///   - outputBuffer: An `AVAudioPCMBuffer` or ``AVAudioCompressedBuffer`` of the output's format.
  ///   - outError: Set to what was wrong.
  ///   - inputBlock: Called until the buffer is full, or it says that there is nothing.
  public func convert(
    to outputBuffer: AVAudioBuffer, error outError: UnsafeMutablePointer<NSError?>?,
    withInputFrom inputBlock: AVAudioConverterInputBlock
  ) -> AVAudioConverterOutputStatus {
    func fail(_ message: String) -> AVAudioConverterOutputStatus {
      outError?.pointee = AVError(.operationNotAllowed, message) as NSError
      return .error
    }
    if let packets = outputBuffer as? AVAudioCompressedBuffer, packets.format == outputFormat,
      packets.packetCapacity > 0
    {
      do throws(AVError) { return try encode(to: packets, inputBlock) } catch {
        outError?.pointee = error as NSError
        return .error
      }
    }
    guard let output = outputBuffer as? AVAudioPCMBuffer, output.format == outputFormat else {
      return fail("the output buffer's format is not the converter's")
    }
    let width = outputFormat.format.bytesPerFrame
    let room = Int(output.frameCapacity) * width
    var ranDry = false
    while waiting.count < room, !hasEnded, !ranDry {
      var status = AVAudioConverterInputStatus.noDataNow
      let wanted = (room - waiting.count) / width
      let given = inputBlock(AVAudioPacketCount(clamping: wanted), &status)
      switch status {
      case .haveData:
        do throws(AVError) {
          guard let sound = try sound(of: given) else {
            ranDry = true
            continue
          }
          waiting += try converted(sound)?.bytes ?? []
        } catch {
          outError?.pointee = error as NSError
          return .error
        }
      case .noDataNow: ranDry = true
      case .endOfStream:
        waiting += converter.finish()?.bytes ?? []
        hasEnded = true
      }
    }
    output.fill(waiting.prefix(room))
    waiting.removeFirst(Int(output.frameLength) * width)
    if output.frameLength == output.frameCapacity || (hasEnded && output.frameLength > 0) {
      return .haveData
    }
    return hasEnded ? .endOfStream : .inputRanDry
  }
}
