import AssetWriter
import MediaCore
import Testing

/// Sample entry records that tell decoders of H.264 and HEVC what they need.
@Suite struct DecoderConfigurationTests {
  private static let sequence: [UInt8] = [0x67, 0x64, 0, 0x0A, 0xAC, 0xD9]
  private static let frame: [UInt8] = [0x68, 0xEB, 0xE3]
  private static let videoParameters: [UInt8] = [0x40, 1, 0x0C, 1, 0xFF, 0xFF]
  // The level, 30, comes after emulation prevention bytes.
  private static let hevcSequence: [UInt8] = [
    0x42, 1, 1, 1, 0x60, 0, 0, 3, 0, 0x90, 0, 0, 3, 0, 0, 3, 0, 0x1E, 0xA0,
  ]
  private static let hevcFrame: [UInt8] = [0x44, 1, 0xC1, 0x73]

  private static let sets: [VideoCodecType: [[UInt8]]] = [
    .h264: [sequence, frame], .hevc: [videoParameters, hevcSequence, hevcFrame],
  ]

  @Test(arguments: [VideoCodecType.h264, .hevc])
  func a_record_keeps_the_streams_parameter_sets(codec: VideoCodecType) throws {
    let sets = try #require(Self.sets[codec])
    // Start codes of three and four bytes, and a unit that is not a parameter set.
    var stream: [UInt8] = [0]
    for set in sets { stream += [0, 0, 1] + set }
    stream += [0, 0, 1, codec == .h264 ? 6 : 0x4E, 1, 9]
    let made = try #require(DecoderConfiguration(codec, stream: stream, bitDepth: 8))
    #expect(made.parameterSets == sets)
    #expect(DecoderConfiguration(codec, record: made.record) == made)
    if codec == .hevc {
      #expect(made.record[12] == 30)
    } else {
      #expect(made.record[1...3].elementsEqual([0x64, 0, 0x0A]))
    }
  }

  @Test(arguments: [VideoCodecType.h264, .hevc])
  func truncated_or_damaged_records_are_handled_safely(codec: VideoCodecType) throws {
    let sets = try #require(Self.sets[codec])
    let whole = try #require(DecoderConfiguration(codec, parameterSets: sets)).record
    for count in whole.indices where count < whole.count - 4 {
      #expect(DecoderConfiguration(codec, record: Array(whole[..<count])) == nil)
    }
    for place in whole.indices {
      var damaged = whole
      damaged[place] = 0xFF
      // Whatever the bytes say, nothing is read past their end.
      _ = DecoderConfiguration(codec, record: damaged)?.record
    }
    #expect(DecoderConfiguration(codec, parameterSets: Array(sets.dropLast())) == nil)
    #expect(DecoderConfiguration(.proRes422, parameterSets: sets) == nil)
  }
}
