import AssetWriter
public import Foundation
import MediaCore

/// A number of packets. A packet of linear PCM is a frame.
public typealias AVAudioPacketCount = UInt32

/// What a converter's input block returned.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// A buffer.
  case haveData = 0
  /// No data now.
  case noDataNow = 1
  /// No more data.
  case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The buffer has as much as the input allows.
  case haveData = 0
  /// The input did not fill the buffer.
  case inputRanDry = 1
  /// The input has ended, and everything was returned.
  case endOfStream = 2
  case error = 3
}

/// Supplies a converter's input. It gets the number of packets wanted and sets the status.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?

/// Converts linear PCM to another sample rate, channel count or sample format with libswresample, and to or from AAC
/// or Apple Lossless packets with libavcodec.
public final class AVAudioConverter {
  public let inputFormat: AVAudioFormat
  public let outputFormat: AVAudioFormat
  var converter: AudioConverter
  var coding = PacketCoding()
  /// Interleaved output that did not fit into the buffer.
  private var waiting: [UInt8] = []
  var hasEnded = false
  /// The input channel for each output channel; nil to mix.
  private var map: [Int]?

  /// Channels are mixed if their numbers differ and neither exceeds 8. Otherwise they keep their positions, as with a
  /// ``channelMap``: extra input channels are dropped, and extra output channels are silent.
  ///
  /// - Returns: Nil if the conversion is not supported.
  public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
    guard fromFormat.channelCount > 0, toFormat.channelCount > 0,
      fromFormat.compression == nil || toFormat.compression == nil
    else { return nil }
    (inputFormat, outputFormat) = (fromFormat, toFormat)
    let (arriving, channels) = (Int(fromFormat.channelCount), Int(toFormat.channelCount))
    // Versions of libswresample differ in the layouts of more than 8 channels that they can mix.
    if arriving == channels || max(arriving, channels) <= 8,
      let converter = AudioConverter(from: fromFormat.format, to: toFormat.format)
    {
      self.converter = converter
      return
    }
    var mapped = fromFormat.format
    mapped.channelCount = channels
    guard let converter = AudioConverter(from: mapped, to: toFormat.format) else { return nil }
    self.converter = converter
    map = (0..<channels).map { $0 < arriving ? $0 : -1 }
  }

  /// True if a channel map is set.
  var isMapped: Bool { map != nil }

  /// The input channel, from 0, for each output channel; negative for silence. Setting it disables mixing and starts
  /// a new stream. It is ignored unless there is an entry for each output channel and all input channels exist.
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

  /// The input's channels, reordered by the map.
  func mapped(_ audio: MediaCore.AudioBuffer) -> MediaCore.AudioBuffer {
    map.map { audio.withChannels($0) } ?? audio
  }

  /// Converts a run of audio; nil if there is no output yet, which happens only with another sample rate.
  ///
  /// - Throws: ``AVError/Code/unknown`` if audio was lost.
  func converted(_ audio: MediaCore.AudioBuffer) throws(AVError) -> MediaCore.AudioBuffer? {
    try Self.checked(converter.convert(audio), of: audio, for: outputFormat.format)
  }

  /// A converter's output, checked to have all frames if the sample rate is unchanged.
  static func checked(
    _ made: MediaCore.AudioBuffer?, of audio: MediaCore.AudioBuffer, for target: AudioFormat
  ) throws(AVError) -> MediaCore.AudioBuffer? {
    guard audio.format.sampleRate == target.sampleRate else { return made }
    let count = made?.frameCount ?? 0
    guard count == audio.frameCount else {
      throw AVError(
        .unknown, "the audio converter returned \(count) of \(audio.frameCount) frames")
    }
    return made
  }

  /// Starts a new stream.
  public func reset() {
    var source = inputFormat.format
    source.channelCount = map?.count ?? source.channelCount
    if let fresh = AudioConverter(from: source, to: outputFormat.format) { converter = fresh }
    (waiting, hasEnded) = ([], false)
    coding.reset()
  }

  /// Converts a buffer at an unchanged sample rate.
  ///
  /// - Throws: ``AVError/Code/operationNotAllowed`` for another sample rate, which needs a stream, for buffers of
  ///   other formats than the converter's, and if the output buffer is too small; ``AVError/Code/unknown`` if the
  ///   conversion fails, in which case the output buffer is empty.
  public func convert(
    to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer
  ) throws {
    guard inputFormat.sampleRate == outputFormat.sampleRate else {
      throw AVError(
        .operationNotAllowed,
        "another sample rate needs a stream; use convert(to:error:withInputFrom:)")
    }
    guard inputBuffer.format == inputFormat, outputBuffer.format == outputFormat else {
      throw AVError(.operationNotAllowed, "the buffers' formats are not the converter's")
    }
    guard outputBuffer.frameCapacity >= inputBuffer.frameLength else {
      throw AVError(
        .operationNotAllowed,
        "\(inputBuffer.frameLength) frames exceed the capacity of \(outputBuffer.frameCapacity)")
    }
    let (audio, count) = (inputBuffer.interleaved(), inputBuffer.frameLength)
    // Input and output may be the same buffer.
    outputBuffer.frameLength = 0
    guard count > 0 else { return }
    guard let audio, let made = try converted(mapped(audio)) else {
      throw AVError(.unknown, "\(count) frames could not be converted")
    }
    outputBuffer.fill(made.bytes[...])
  }

  /// Fills a buffer with converted audio of a stream.
  ///
  /// - Parameters:
  ///   - outputBuffer: An `AVAudioPCMBuffer` or ``AVAudioCompressedBuffer`` in the output format.
  ///   - outError: Set to the error.
  ///   - inputBlock: Called until the buffer is full or there is no data.
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
          guard let audio = try audio(of: given) else {
            ranDry = true
            continue
          }
          waiting += try converted(audio)?.bytes ?? []
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
