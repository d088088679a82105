import AssetWriter
import MediaCore
import Testing

/// What sequence parameter sets say about frames; x264 and x265 made the sets.
@Suite struct SequenceParametersTests {
  struct Known: Sendable {
    var codec: VideoCodecType
    /// The unit in hexadecimal.
    var unit: String
    var size: VideoDimensions
    var chroma = 1
    var depth = 8
    var shape = PixelAspectRatio.square
    var color = ColorDescription.unspecified

    var bytes: [UInt8] {
      var digits = unit.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }[...]
      var bytes: [UInt8] = []
      while let high = digits.popFirst(), let low = digits.popFirst() {
        bytes.append(UInt8(high << 4 | low))
      }
      return bytes
    }
  }

  static let known: [Known] = [
    Known(
      codec: .h264, unit: "67640028ACD940780227E5C39A808080A0000003002000000641E30632C0",
      size: VideoDimensions(width: 1920, height: 1080), shape: PixelAspectRatio(4, 3),
      color: .bt709),
    Known(
      codec: .h264, unit: "677A000AB6CD94527888FC0440000003004000000C83C4896580",
      size: VideoDimensions(width: 66, height: 50), chroma: 2, depth: 10),
    // Two fields.
    Known(
      codec: .h264, unit: "6764001EACD940B424D8088000000300800000190F8A14CB",
      size: VideoDimensions(width: 720, height: 576)),
    Known(
      codec: .h264, unit: "6742C00AD905278888C044000003000400000300C83C489920",
      size: VideoDimensions(width: 66, height: 50)),
    Known(
      codec: .hevc,
      unit: "42010101600000030090000003000003001EA024839C9265959AE4CAF0E6A020202080"
        + "000003008000000C84",
      size: VideoDimensions(width: 66, height: 50), shape: PixelAspectRatio(4, 3), color: .bt709),
    Known(
      codec: .hevc,
      unit: "4201010408000003009D0800000300001EB024839C93B65959AE4CAF016E1220120800"
        + "0003000800000300C840",
      size: VideoDimensions(width: 66, height: 50), chroma: 2, depth: 10,
      color: ColorDescription(
        primaries: .bt2020, transferFunction: .pq, matrix: .bt2020, range: .full)),
  ]

  @Test(arguments: known) func a_set_gives_size_chroma_depth_color_and_pixel_shape(known: Known)
    throws
  {
    let read = try #require(SequenceParameters(known.bytes, known.codec))
    #expect(read.dimensions == known.size && read.pixelAspectRatio == known.shape)
    #expect(read.chromaFormat == known.chroma)
    #expect(read.lumaDepth == known.depth && read.chromaDepth == known.depth)
    #expect(read.color == known.color)
  }

  @Test(arguments: known) func a_record_has_its_sets_chroma_and_depths(known: Known) throws {
    let others: [[UInt8]] =
      known.codec == .h264
      ? [[0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0]]
      : [[0x40, 1, 0x0C, 1, 0xFF, 0xFF], [0x44, 1, 0xC1, 0x73, 0xD1, 0x89]]
    let made = try #require(
      DecoderConfiguration(known.codec, parameterSets: others + [known.bytes]))
    let record = made.record
    #expect(made.bitDepth == known.depth)
    if known.codec == .hevc {
      #expect(record[16] & 3 == known.chroma)
      #expect(record[17] & 7 == known.depth - 8 && record[18] & 7 == known.depth - 8)
    } else if record[1] != 0x42 {
      let depth = UInt8(known.depth - 8)
      #expect(
        record.suffix(4).elementsEqual([0xFC | UInt8(known.chroma), 0xF8 | depth, 0xF8 | depth, 0]))
    }
    let read = try #require(DecoderConfiguration(known.codec, record: record))
    #expect(read.sequence == made.sequence && read.record == record)
  }

  @Test(arguments: known) func truncated_or_damaged_sets_are_never_read_past_their_end(
    known: Known
  ) {
    let whole = known.bytes
    for count in 0..<8 {
      #expect(SequenceParameters(Array(whole.prefix(count)), known.codec) == nil)
    }
    for place in whole.indices {
      for byte: UInt8 in [0, 0x55, 0xFF] {
        var damaged = whole
        damaged[place] = byte
        let read = SequenceParameters(damaged, known.codec)
        #expect(read.map { $0.dimensions.width > 0 && $0.dimensions.height > 0 } ?? true)
      }
    }
    #expect(SequenceParameters(whole, known.codec == .h264 ? .hevc : .h264) == nil)
  }
}
