public import Foundation
public import MediaCore

extension FormatDescription {
  /// A description of audio, like that of `CMAudioFormatDescriptionCreate`.
  ///
  /// - Parameters:
  ///   - audioStreamBasicDescription: The format: signed 16, 24 or 32-bit integers or 32-bit floats, little-endian,
  ///     interleaved.
  ///   - layout: The channel layout; ignored, because settings have it.
  ///   - magicCookie: Nil or empty: PCM has none.
  ///   - extensions: Ignored.
  /// - Throws: ``AVError/Code/formatUnsupported`` for another format.
  public init(
    audioStreamBasicDescription: AudioStreamBasicDescription,
    layout: ManagedAudioChannelLayout? = nil, magicCookie: Data? = nil,
    extensions: Extensions? = nil
  ) throws {
    guard magicCookie?.isEmpty != false, let format = AudioFormat(audioStreamBasicDescription)
    else {
      throw AVError(
        .formatUnsupported,
        "audio samples must be linear PCM of 16, 24 or 32 bits, little-endian and interleaved")
    }
    self = .audio(format)
  }
}

extension SampleBuffer {
  /// A sample of audio with a copy of the bytes, like that of `CMSampleBufferCreateReady`.
  ///
  /// - Parameters:
  ///   - dataBuffer: The bytes of whole frames.
  ///   - formatDescription: The format of the audio.
  ///   - numSamples: The number of frames.
  ///   - sampleTimings: Timing; only the first entry is used.
  ///   - sampleSizes: Ignored: the format determines the size of a PCM frame.
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

  /// The frames of audio as separate samples; a video sample is returned as it is.
  ///
  /// - Throws: ``CMSampleBuffer/Error/bufferNotReady`` for audio that was not set yet.
  public func singleSampleBuffers() throws -> SingleSampleBuffers {
    if awaitsAudio { throw Error.bufferNotReady }
    return SingleSampleBuffers(whole: self)
  }

  /// The samples of a buffer as a sequence.
  public struct SingleSampleBuffers: Sequence, Sendable {
    let whole: CMSampleBuffer

    public func makeIterator() -> Iterator { Iterator(whole: whole, audio: whole.audio) }

    /// Iterates over the samples.
    public struct Iterator: IteratorProtocol {
      let whole: CMSampleBuffer
      let audio: MediaCore.AudioBuffer?
      var place = 0

      /// The next sample; nil at the end.
      public mutating func next() -> CMSampleBuffer? {
        defer { place += 1 }
        guard let audio else { return place == 0 ? whole : nil }
        let width = audio.format.bytesPerFrame
        guard place < audio.bytes.count / Swift.max(width, 1),
          let frame = try? MediaCore.AudioBuffer(
            format: audio.format, bytes: Array(audio.bytes[place * width..<(place + 1) * width]))
        else { return nil }
        return CMSampleBuffer(
          .audio(frame),
          presentationTimeStamp: whole.presentationTimeStamp
            + audio.format.duration(ofFrames: place),
          duration: frame.duration)
      }
    }
  }
}
