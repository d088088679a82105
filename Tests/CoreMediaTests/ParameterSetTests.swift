import AVFoundationCompat
import Synchronization
import TestSupport
import Testing

/// Descriptions of H.264 and HEVC made from parameter sets, as in programs that receive streams.
@Suite(.timeLimit(.minutes(5))) struct ParameterSetTests {
  // 66x50, 10-bit 4:2:2; HEVC in full-range PQ. Made by x264 and x265.
  private static let avc: [[UInt8]] = [
    [
      0x67, 0x7A, 0x00, 0x0A, 0xB6, 0xCD, 0x94, 0x52, 0x78, 0x88, 0xFC, 0x04, 0x40, 0x00, 0x00,
      0x03, 0x00, 0x40, 0x00, 0x00, 0x0C, 0x83, 0xC4, 0x89, 0x65, 0x80,
    ], [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0],
  ]
  private static let hevc: [[UInt8]] = [
    [
      0x40, 0x01, 0x0C, 0x01, 0xFF, 0xFF, 0x04, 0x08, 0x00, 0x00, 0x03, 0x00, 0x9D, 0x08, 0x00,
      0x00, 0x03, 0x00, 0x00, 0x1E, 0x95, 0x98, 0x09,
    ],
    [
      0x42, 0x01, 0x01, 0x04, 0x08, 0x00, 0x00, 0x03, 0x00, 0x9D, 0x08, 0x00, 0x00, 0x03, 0x00,
      0x00, 0x1E, 0xB0, 0x24, 0x83, 0x9C, 0x93, 0xB6, 0x59, 0x59, 0xAE, 0x4C, 0xAF, 0x01, 0x6E,
      0x12, 0x20, 0x12, 0x08, 0x00, 0x00, 0x03, 0x00, 0x08, 0x00, 0x00, 0x03, 0x00, 0xC8, 0x40,
    ], [0x44, 0x01, 0xC1, 0x73, 0xD1, 0x89],
  ]

  /// A description made by the C functions from sets that are contiguous in memory.
  private func describe(
    _ sets: [[UInt8]], isHEVC: Bool, header: Int32 = 4, extensions: CFDictionary? = nil
  ) -> (description: CMFormatDescription?, status: OSStatus) {
    let all = sets.flatMap { $0 }
    return all.withUnsafeBufferPointer { bytes in
      var made: CMFormatDescription?
      guard let base = bytes.baseAddress else { return (nil, noErr) }
      let sizes = sets.map(\.count)
      let pointers = sets.indices.map { base + sizes[..<$0].reduce(0, +) }
      let status =
        isHEVC
        ? CMVideoFormatDescriptionCreateFromHEVCParameterSets(
          allocator: kCFAllocatorDefault, parameterSetCount: sets.count,
          parameterSetPointers: pointers, parameterSetSizes: sizes, nalUnitHeaderLength: header,
          extensions: extensions, formatDescriptionOut: &made)
        : CMVideoFormatDescriptionCreateFromH264ParameterSets(
          allocator: kCFAllocatorDefault, parameterSetCount: sets.count,
          parameterSetPointers: pointers, parameterSetSizes: sizes, nalUnitHeaderLength: header,
          formatDescriptionOut: &made)
      return (made, status)
    }
  }

  @Test(arguments: [false, true])
  func a_description_reflects_and_returns_its_parameter_sets(isHEVC: Bool) throws {
    let sets = isHEVC ? Self.hevc : Self.avc
    for header: Int32 in [1, 2, 4] {
      let made = describe(sets, isHEVC: isHEVC, header: header)
      #expect(made.status == noErr)
      let format = try #require(made.description)
      #expect(format.mediaSubType == (isHEVC ? .hevc : .h264))
      #expect(format.dimensions == CMVideoDimensions(width: 66, height: 50))
      #expect(format.parameterSets == sets.map { Data($0) })
      #expect(format.nalUnitHeaderLength == Int(header))
    }
    let data = sets.map { Data($0) }
    let typed =
      isHEVC
      ? try CMFormatDescription(hevcParameterSets: data)
      : try CMFormatDescription(h264ParameterSets: data)
    #expect(
      CMFormatDescriptionEqual(
        typed, otherFormatDescription: describe(sets, isHEVC: isHEVC).description))
    let extensions = try #require(CMFormatDescriptionGetExtensions(typed))
    #expect(
      extensions[kCMFormatDescriptionExtension_FullRangeVideo] as? Bool == isHEVC)
    #expect(
      extensions[kCMFormatDescriptionExtension_TransferFunction] as? String
        == (isHEVC ? kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ : nil))
  }

  @Test func hevc_sei_units_are_stored_in_the_atom() throws {
    // Content light levels: 1000 and 400 cd/m2.
    let remark: [UInt8] = [0x4E, 1, 0x90, 4, 3, 0xE8, 1, 0x90, 0x80]
    let made = try #require(describe([remark] + Self.hevc, isHEVC: true).description)
    #expect(made.parameterSets == Self.hevc.map { Data($0) })
    let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    let record = try #require((made.extensions[key] as? [String: Data])?["hvcC"])
    // One more array after the others: its type, one unit, and the unit's length.
    #expect(record[22] == 4)
    #expect([UInt8](record.suffix(14)) == [0x80 | 39, 0, 1, 0, 9] + remark)
    var again: CMVideoFormatDescription?
    let status = CMVideoFormatDescriptionCreate(
      allocator: nil, codecType: kCMVideoCodecType_HEVC, width: 66, height: 50,
      extensions: [key: ["hvcC": record]], formatDescriptionOut: &again)
    #expect(status == noErr && CMFormatDescriptionEqual(again, otherFormatDescription: made))
  }

  @Test func h264_sei_units_are_omitted() throws {
    // The atom has no place for SEI units, and a decoder does not need them.
    let made = try #require(describe([[6, 5, 1, 0, 0x80]] + Self.avc, isHEVC: false).description)
    let plain = describe(Self.avc, isHEVC: false).description
    #expect(CMFormatDescriptionEqual(made, otherFormatDescription: plain))
    // Any other unit, such as a coded picture, is refused.
    let other = describe(Self.avc + [[0x65, 0x88, 0x80]], isHEVC: false)
    #expect(other.status == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test(arguments: [false, true])
  func a_sample_entry_atom_describes_compressed_frames(isHEVC: Bool) throws {
    let whole = try #require(describe(isHEVC ? Self.hevc : Self.avc, isHEVC: isHEVC).description)
    let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    let name = isHEVC ? "hvcC" : "avcC"
    let atoms = try #require(whole.extensions[key] as? [String: Data])
    let record = try #require(atoms[name])
    var made: CMVideoFormatDescription?
    func make(_ code: CMVideoCodecType, _ extensions: CFDictionary) -> OSStatus {
      CMVideoFormatDescriptionCreate(
        allocator: kCFAllocatorDefault, codecType: code, width: 66, height: 50,
        extensions: extensions, formatDescriptionOut: &made)
    }
    let code = isHEVC ? kCMVideoCodecType_HEVC : kCMVideoCodecType_H264
    #expect(make(code, [key: [name: record]]) == noErr)
    #expect(CMFormatDescriptionEqual(made, otherFormatDescription: whole))
    // avc3 and hev1 may also have parameter sets in the samples.
    let open: CMVideoCodecType = isHEVC ? 0x6865_7631 : 0x6176_6333
    #expect(make(open, [key: [name: record]]) == noErr)
    #expect(made?.parameterSets == whole.parameterSets)
    #expect(made?.extensions[key] as? [String: Data] == atoms)

    let wrong: [CFDictionary] = [
      [key: [name: record.prefix(12)]], [key: [isHEVC ? "avcC" : "hvcC": record]],
      [key: [name: record, "pasp": Data(count: 8)]], [key: "avcC"],
      [key: [name: record], kCMFormatDescriptionExtension_Depth: 24],
    ]
    for extensions in wrong {
      #expect(make(code, extensions) == kCMFormatDescriptionError_InvalidParameter)
      #expect(made == nil)
    }
    #expect(
      make(kCMVideoCodecType_JPEG, [key: [name: record]])
        == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test(arguments: [false, true])
  func undecodable_parameter_sets_are_refused(isHEVC: Bool) throws {
    let sets = isHEVC ? Self.hevc : Self.avc
    let sequence = isHEVC ? 1 : 0
    var short = sets
    short[sequence] = Array(short[sequence].prefix(10))
    let delimiter: [UInt8] = isHEVC ? [0x46, 1, 0x50] : [9, 0x10]
    for wrong in [Array(sets.dropLast()), Array(sets.dropFirst()), short, sets + [delimiter]] {
      let made = describe(wrong, isHEVC: isHEVC)
      #expect(made.description == nil && made.status == kCMFormatDescriptionError_InvalidParameter)
    }
    let header = describe(sets, isHEVC: isHEVC, header: 3)
    #expect(header.status == kCMFormatDescriptionError_InvalidParameter)
    let other = describe(sets, isHEVC: !isHEVC)
    #expect(other.status == kCMFormatDescriptionError_InvalidParameter)
    #expect(throws: AVError.self) {
      try CMFormatDescription(h264ParameterSets: [Data(sets[0])], nalUnitHeaderLength: 4)
    }
    let depth = [kCMFormatDescriptionExtension_Depth: 24]
    #expect(throws: AVError.self) {
      try CMFormatDescription(
        hevcParameterSets: sets.map { Data($0) }, nalUnitHeaderLength: 4,
        extensions: [.depth: .number(24)])
    }
    let extended = describe(sets, isHEVC: true, extensions: depth as CFDictionary)
    #expect(extended.status == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test func a_movie_of_compressed_frames_records_their_color_range() async throws {
    let format = try CMFormatDescription(hevcParameterSets: Self.hevc.map { Data($0) })
    let block = try CMBlockBuffer(length: 8)
    // The length of a unit and a unit of a key frame.
    let unit: [UInt8] = [0, 0, 0, 4, 0x26, 1, 0xAF, 0x80]
    try unit.withUnsafeBytes { try block.replaceDataBytes(with: $0) }
    let sample = try CMSampleBuffer(
      dataBuffer: block, formatDescription: format, numSamples: 1,
      sampleTimings: [
        CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: .zero,
          decodeTimeStamp: .invalid)
      ], sampleSizes: [8])
    let rig = try CompressionRig()
    let bytes = [UInt8](try Data(contentsOf: try await rig.write([sample], to: "a.mp4", .mp4)))
    let name = Array("nclx".utf8)
    let place = try #require(
      (0..<bytes.count - 11).first { bytes[$0..<$0 + 4].elementsEqual(name) })
    #expect(bytes[place + 4..<place + 10].elementsEqual([0, 9, 0, 16, 0, 9]))
    #expect(bytes[place + 10] == 0x80)
  }

  @Test(
    .enabled(
      if: EncoderCapabilities.current.interframeCodecs.count == 2,
      "libavcodec has no encoder of H.264 or HEVC"),
    arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
  func frames_described_by_parameter_sets_are_decoded_and_written(
    codec: CMVideoCodecType
  ) async throws {
    let frames = 0..<4
    let encoder = try CompressionRig.session(codec)
    let encoded = try CompressionRig.compress(frames, with: encoder, keys: Set(frames))
    VTCompressionSessionCompleteFrames(encoder, untilPresentationTimeStamp: .invalid)
    let reported = try #require(encoded.samples.first?.formatDescription)
    let sets = reported.parameterSets.map { [UInt8]($0) }
    let made = try #require(describe(sets, isHEVC: codec == kCMVideoCodecType_HEVC).description)
    #expect(made.dimensions == CMVideoDimensions(width: 64, height: 48))
    let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
    #expect(made.extensions[key] as? [String: Data] == reported.extensions[key] as? [String: Data])
    let samples = try encoded.samples.map { sample in
      try CMSampleBuffer(
        dataBuffer: sample.dataBuffer, formatDescription: made, numSamples: 1,
        sampleTimings: [
          CMSampleTimingInfo(
            duration: sample.duration, presentationTimeStamp: sample.presentationTimeStamp,
            decodeTimeStamp: .invalid)
        ], sampleSizes: [sample.totalSampleSize])
    }
    try #require(samples.count == frames.count)
    #expect(try decodedCount(samples, of: made) == frames.count)
    let rig = try CompressionRig()
    for (name, type) in [("a.mp4", AVFileType.mp4), ("a.mov", .mov)] {
      let url = try await rig.write(samples, to: name, type)
      try await CompressionRig.check(url, frames: frames)
      let tracks = try await AVURLAsset(url: url).loadTracks(withMediaType: .video)
      let stored = try #require(tracks.first?.formatDescriptions.first as? CMFormatDescription)
      #expect(stored.parameterSets == reported.parameterSets)
      #expect(stored.nalUnitHeaderLength == 4)
    }
  }

  private func decodedCount(_ samples: [CMSampleBuffer], of format: CMFormatDescription) throws
    -> Int
  {
    var session: VTDecompressionSession?
    VTDecompressionSessionCreate(
      allocator: nil, formatDescription: format, decoderSpecification: nil,
      imageBufferAttributes: nil, outputCallback: nil, decompressionSessionOut: &session)
    let decoder = try #require(session)
    final class Count: Sendable { let decoded = Mutex(0) }
    let count = Count()
    for sample in samples {
      VTDecompressionSessionDecodeFrame(
        decoder, sampleBuffer: sample, flags: [], infoFlagsOut: nil
      ) { status, _, frame, _, _ in
        if status == noErr, frame != nil { count.decoded.withLock { $0 += 1 } }
      }
    }
    VTDecompressionSessionWaitForAsynchronousFrames(decoder)
    return count.decoded.withLock { $0 }
  }
}
