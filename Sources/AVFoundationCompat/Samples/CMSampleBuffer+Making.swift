public import Foundation
public import MediaCore

extension FormatDescription {
  /// The description of audio, as `CMAudioFormatDescriptionCreate` makes it.
  ///
  /// - Parameters:
  ///   - audioStreamBasicDescription: The numbers: PCM of 16, 24 or 32 bits, signed, or of floats of 32 bits;
  ///     little-endian, interleaved.
  ///   - layout: What the channels are for; ignored, for settings have it.
  ///   - magicCookie: Nil or empty: PCM has none.
  ///   - extensions: Ignored.
  /// - Throws: ``AVError/Code/formatUnsupported`` for audio of another kind.
  public init(
    audioStreamBasicDescription: AudioStreamBasicDescription,
    layout: ManagedAudioChannelLayout? = nil, magicCookie: Data? = nil,
    extensions: Extensions? = nil
  ) throws {
    guard magicCookie?.isEmpty != false, let format = AudioFormat(audioStreamBasicDescription)
    else {
      throw AVError(
        .formatUnsupported,
        "samples of sound are linear PCM of 16, 24 or 32 bits, little-endian and interleaved")
    }
    self = .audio(format)
  }
}

extension SampleBuffer {
  /// A sample of audio, as `CMSampleBufferCreateReady` makes it: it has a copy of the bytes.
  ///
  /// - Parameters:
  ///   - dataBuffer: The bytes of whole frames.
  ///   - formatDescription: What the audio is.
  ///   - numSamples: Frames.
  ///   - sampleTimings: The first entry counts.
  ///   - sampleSizes: Ignored: a frame of PCM has the size that its format says.
  /// - Throws: ``CMSampleBuffer/Error``.
  public init(
    dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
    sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
  ) throws {
    var sample: CMSampleBuffer?
    let status = sampleTimings.withUnsafeBufferPointer { timings in
      CMSampleBufferCreateReady(
        allocator: nil, dataBuffer: dataBuffer, formatDescription: formatDescription,
        sampleCount: numSamples, sampleTimingEntryCount: timings.count,
        sampleTimingArray: timings.baseAddress, sampleSizeEntryCount: 0, sampleSizeArray: nil,
        sampleBufferOut: &sample)
    }
    guard let sample else {
      switch status {
      case kCMSampleBufferError_ArrayTooSmall: throw Error.arrayTooSmall
      case kCMSampleBufferError_InvalidEntryCount: throw Error.invalidEntryCount
      case kCMSampleBufferError_InvalidMediaFormat: throw Error.invalidMediaFormat
      default: throw Error.requiredParameterMissing
      }
    }
    self = sample
  }

  /// Each frame of audio as a sample of its own; of a picture the sample itself.
  ///
  /// - Throws: ``CMSampleBuffer/Error/bufferNotReady`` for audio that is yet to be set.
  public func singleSampleBuffers() throws -> SingleSampleBuffers {
    if awaitsSound { throw Error.bufferNotReady }
    return SingleSampleBuffers(whole: self)
  }

  /// The samples of a buffer one by one.
  public struct SingleSampleBuffers: Sequence, Sendable {
    let whole: CMSampleBuffer

    /// Begins with the first.
    public func makeIterator() -> Iterator { Iterator(whole: whole, sound: whole.sound) }

    /// Goes through them.
    public struct Iterator: IteratorProtocol {
      let whole: CMSampleBuffer
      let sound: MediaCore.AudioBuffer?
      var place = 0

      /// The next sample; nil after the last.
      public mutating func next() -> CMSampleBuffer? {
        defer { place += 1 }
        guard let sound else { return place == 0 ? whole : nil }
        let width = sound.format.bytesPerFrame
        guard place < sound.bytes.count / Swift.max(width, 1),
          let frame = try? MediaCore.AudioBuffer(
            format: sound.format, bytes: Array(sound.bytes[place * width..<(place + 1) * width]))
        else { return nil }
        return CMSampleBuffer(
          .audio(frame),
          presentationTimeStamp: whole.presentationTimeStamp
            + sound.format.duration(ofFrames: place),
          duration: frame.duration)
      }
    }
  }
}
