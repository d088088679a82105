import MediaCore
import TestSupport
import Testing

@testable import ProRes

/// The decoder compared with an ideal transform, and with itself.
@Suite struct ProResDecoderTests {
  /// A frame of any kind.
  struct Kind: Sendable, CustomTestStringConvertible {
    var profile = ProResProfile.hq
    var size = (width: 150, height: 70)
    var fields = FieldOrder.progressive
    var alpha = FrameHeader.AlphaChannelType.none
    var index = 4
    var content = TestFrame.Content.natural

    var testDescription: String {
      "\(profile) \(size.width)x\(size.height) \(fields) \(alpha) q\(index) \(content)"
    }

    func frame() throws -> [UInt8] {
      let picture = TestFrame(
        width: size.width, height: size.height, fullChroma: profile.is4444, content: content)
      let format: PixelFormat =
        switch (profile.is4444, alpha) {
        case (false, _): .yuv422p10
        case (true, .none): .yuv444p10
        case (true, .bits8): .yuva444p8
        case (true, .bits16): .yuva444p16
        }
      return try ProResEncoder(
        configuration: .init(
          profile: profile, width: size.width, height: size.height, fieldOrder: fields,
          alpha: alpha, threads: 1, rateMode: .constantQuality(index))
      ).encode(picture.buffer(format, fields: fields))
    }
  }

  static let kinds: [Kind] = [
    Kind(), Kind(profile: .proxy, index: 12), Kind(profile: .lt, size: (129, 49)),
    Kind(profile: .standard, fields: .topFieldFirst),
    Kind(profile: .hq, size: (16, 17), fields: .bottomFieldFirst), Kind(size: (1040, 32)),
    Kind(profile: .p4444, size: (200, 50)),
    Kind(profile: .xq, size: (161, 41), fields: .topFieldFirst, index: 1),
    Kind(profile: .p4444, alpha: .bits8),
    Kind(profile: .xq, fields: .bottomFieldFirst, alpha: .bits16),
    Kind(index: 1, content: .extremes), Kind(profile: .proxy, index: 224, content: .overshoot),
    Kind(profile: .p4444, index: 60, content: .noise),
  ]

  private func decoder(
    _ depth: Int? = nil, scale: ProResDecoder.Scale = .full, threads: Int = 1,
    kernels: KernelChoice? = nil
  ) throws -> ProResDecoder {
    try ProResDecoder(
      configuration: .init(bitDepth: depth, scale: scale, threads: threads, kernels: kernels))
  }

  /// The output of an ideal decoder, rounded.
  private func ideal(_ frame: [UInt8], depth: Int) throws -> [[UInt16]] {
    let picture = try ReferenceDecoder.decode(frame)
    let unit = Float(1 << (depth - 10))
    let most = Float(1 << depth) - 5
    return picture.planes.map { plane in
      plane.map { UInt16(min(max(($0 * unit).rounded(), 4), most)) }
    }
  }

  @Test(arguments: kinds, [10, 12])
  func samples_are_at_most_one_step_from_an_ideal_transform(kind: Kind, depth: Int) throws {
    let frame = try kind.frame()
    let picture = try decoder(depth).decode(frame)
    let difference = FrameDifference(
      Array(picture.words[..<3]), try ideal(frame, depth: depth))
    #expect(difference.most <= 1)
    // Steps of 12 bits are finer, so more of them fall on the other side of a half.
    #expect(difference.mean < (depth == 10 ? 0.02 : 0.08), "\(difference.mean)")
    #expect(picture.fieldOrder == kind.fields)
    #expect(picture.width == kind.size.width && picture.height == kind.size.height)
  }

  @Test(arguments: kinds) func alpha_is_rounded_as_in_the_standard(kind: Kind) throws {
    guard kind.alpha != .none else { return }
    let frame = try kind.frame()
    let source = TestFrame(
      width: kind.size.width, height: kind.size.height, fullChroma: true, content: kind.content)
    for depth in [10, 12] {
      let words = try decoder(depth).decode(frame).words
      let most = (1 << depth) - 1
      let wanted = source.alpha.map { code -> UInt16 in
        let (value, whole) = kind.alpha == .bits8 ? (Int(code) >> 8, 255) : (Int(code), 65535)
        return UInt16((2 * value * most + whole) / (2 * whole))
      }
      #expect(words[3] == wanted)
    }
  }

  @Test(arguments: kinds)
  func threads_and_kernels_do_not_change_samples(kind: Kind) throws {
    let frame = try kind.frame()
    let wanted = try decoder(kernels: .reference).decode(frame).words
    for kernels in KernelChoice.available where kernels != .reference {
      for threads in [1, 3] {
        let words = try decoder(threads: threads, kernels: kernels).decode(frame).words
        let isSame = words == wanted
        #expect(isSame, "\(kernels), \(threads) threads")
      }
    }
  }

  @Test func one_decoder_handles_frames_of_all_kinds_in_turn() throws {
    let decoder = try decoder(threads: 2)
    for kind in Self.kinds + Self.kinds.reversed() {
      let frame = try kind.frame()
      let picture = try decoder.decode(frame)
      let isSame = try picture.words == self.decoder().decode(frame).words
      #expect(isSame)
    }
  }

  @Test(arguments: kinds) func the_eighth_scale_holds_the_mean_of_each_block(kind: Kind) throws {
    let frame = try kind.frame()
    let header = try FrameHeader(parsing: frame.span.bytes)
    let small = try decoder(12, scale: .eighth).decode(frame)
    #expect(small.width == (kind.size.width + 7) / 8)
    let whole = try ReferenceDecoder.decode(frame)
    let fields = kind.fields.isInterlaced ? 2 : 1
    for plane in 0..<3 {
      let full = plane == 0 || header.chromaFormat == .yuv444
      let columns = full ? whole.width : whole.chromaWidth
      let words = small.words[plane]
      let width = (columns + 7) / 8
      // Only blocks completely inside the picture: of the others, the decoder knows more than the
      // picture shows.
      for row in 0..<kind.size.height / (8 * fields) * fields {
        for column in 0..<columns / 8 {
          var sum: Float = 0
          for y in 0..<8 {
            for x in 0..<8 {
              let line = (row / fields * 8 + y) * fields + row % fields
              sum += whole.planes[plane][line * columns + column * 8 + x]
            }
          }
          let mean = min(max(sum / 16, 4), 4091)
          #expect(abs(Float(words[row * width + column]) - mean) <= 0.75)
        }
      }
    }
  }

  @Test func a_buffer_of_the_wrong_size_is_refused() throws {
    let frame = try Kind().frame()
    let decoder = try decoder()
    let header = try FrameHeader(parsing: frame.span.bytes)
    var details = try decoder.details(of: header)
    var buffer = try MutablePixelBuffer(details)
    try decoder.decode(frame.span.bytes, into: &buffer)
    let isSame = try buffer.finish().words == decoder.decode(frame).words
    #expect(isSame)
    details.width -= 1
    var small = try MutablePixelBuffer(details)
    let error = #expect(throws: ProResError.self) {
      try decoder.decode(frame.span.bytes, into: &small)
    }
    #expect(error?.code == .unsupportedPicture)
    #expect(throws: ProResError.self) { try self.decoder(11) }
  }
}
