package import MediaCore

/// What a sample entry tells a decoder of H.264 or HEVC: the stream's parameter sets, and how its units are
/// counted (ISO/IEC 14496-15).
package struct DecoderConfiguration: Hashable, Sendable {
  /// ``VideoCodecType/h264`` or ``VideoCodecType/hevc``.
  package let codec: VideoCodecType
  /// The parameter sets in the order in which a decoder needs them, without start codes.
  package let parameterSets: [[UInt8]]
  /// HEVC's supplemental enhancement information that applies to all pictures, such as the mastering display; it
  /// follows the parameter sets in the record.
  package let remarks: [[UInt8]]
  /// Bits of a sample, 8 or 10.
  package let bitDepth: Int
  /// Bytes of the length before each unit, 1, 2 or 4.
  package let lengthSize: Int
  /// What the first sequence parameter set says; nil where it is damaged.
  package let sequence: SequenceParameters?

  /// A configuration of parameter sets; nil for those that no decoder can begin with.
  ///
  /// - Parameters:
  ///   - codec: ``VideoCodecType/h264`` or ``VideoCodecType/hevc``.
  ///   - parameterSets: In any order, without start codes. Remarks may be among them: those of H.264 are left out, as
  ///     its record has no place for them.
  ///   - bitDepth: For sets that do not say it: damaged ones.
  ///   - lengthSize: Bytes of the length before each unit.
  package init?(
    _ codec: VideoCodecType, parameterSets: [[UInt8]], bitDepth: Int = 8, lengthSize: Int = 4
  ) {
    let remarks =
      codec == .hevc ? parameterSets.filter { Self.isRemark($0, of: codec) } : []
    let parameterSets = parameterSets.filter { !Self.isRemark($0, of: codec) }
    let kinds = Set(parameterSets.map { Self.kind(of: $0, codec) })
    guard codec.isInterframe, [1, 2, 4].contains(lengthSize), (8...15).contains(bitDepth),
      kinds.isSuperset(of: codec == .h264 ? [7, 8] : [32, 33, 34]),
      // The record repeats the first bytes of H.264's sequence parameters.
      parameterSets.allSatisfy({
        $0.count <= 0xFFFF && (Self.kind(of: $0, codec) != 7 || $0.count >= 4)
      }), parameterSets.count < 32, remarks.count < 32, remarks.allSatisfy({ $0.count <= 0xFFFF })
    else { return nil }
    sequence = parameterSets.first { Self.kind(of: $0, codec) == (codec == .h264 ? 7 : 33) }
      .flatMap { SequenceParameters($0, codec) }
    (self.codec, self.parameterSets, self.remarks) = (codec, parameterSets, remarks)
    (self.bitDepth, self.lengthSize) = (sequence?.lumaDepth ?? bitDepth, lengthSize)
  }

  /// True for a parameter set, and false for other units.
  package static func isParameterSet(_ unit: [UInt8], of codec: VideoCodecType) -> Bool {
    (codec == .h264 ? [7, 8] : [32, 33, 34]).contains(kind(of: unit, codec))
  }

  /// True for supplemental enhancement information, before or after a picture.
  package static func isRemark(_ unit: [UInt8], of codec: VideoCodecType) -> Bool {
    (codec == .h264 ? [6] : [39, 40]).contains(kind(of: unit, codec))
  }

  /// The configuration of a stream that begins with its parameter sets.
  package init?(_ codec: VideoCodecType, stream: [UInt8], bitDepth: Int) {
    let units = Self.units(ofStream: stream).map { Array(stream[$0]) }
    self.init(
      codec, parameterSets: units.filter { Self.isParameterSet($0, of: codec) }, bitDepth: bitDepth)
  }

  /// The number of a unit's kind; -1 for no unit.
  private static func kind(of unit: [UInt8], _ codec: VideoCodecType) -> Int {
    guard let first = unit.first else { return -1 }
    return codec == .h264 ? Int(first & 0x1F) : Int(first >> 1 & 0x3F)
  }

  private func sets(ofKind kind: Int) -> [[UInt8]] {
    parameterSets.filter { Self.kind(of: $0, codec) == kind }
  }

  /// The record as a sample entry has it: `avcC` or `hvcC`.
  package var record: [UInt8] { codec == .h264 ? avcRecord : hevcRecord }

  private static func counted(_ sets: [[UInt8]]) -> [UInt8] {
    sets.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
  }

  private var avcRecord: [UInt8] {
    let (sequences, frames) = (sets(ofKind: 7), sets(ofKind: 8))
    let first = sequences[0]
    var record: [UInt8] = [1, first[1], first[2], first[3], 0xFC | UInt8(lengthSize - 1)]
    record += [0xE0 | UInt8(sequences.count)] + Self.counted(sequences)
    record += [UInt8(frames.count)] + Self.counted(frames)
    // High profiles say how chroma is sampled, and the depths.
    if [100, 110, 122, 244].contains(first[1]) { record += chromaAndDepths + [0] }
    return record
  }

  /// How chroma is sampled, the depth of luma and that of chroma, as both records have them.
  private var chromaAndDepths: [UInt8] {
    let chromaDepth = sequence?.chromaDepth ?? bitDepth
    return [
      0xFC | UInt8(sequence?.chromaFormat ?? 1), 0xF8 | UInt8(bitDepth - 8),
      0xF8 | UInt8(chromaDepth - 8),
    ]
  }

  private var hevcRecord: [UInt8] {
    let first = Self.payload(sets(ofKind: 33)[0])
    // Behind the unit's header of two bytes: layers, then the profile.
    var profile = Array(first.dropFirst(3).prefix(12))
    profile += [UInt8](repeating: 0, count: 12 - profile.count)
    let layers = first.count > 2 ? first[2] : 0
    var record: [UInt8] = [1] + profile + [0xF0, 0, 0xFC] + chromaAndDepths + [0, 0]
    record.append((layers >> 1 & 7 + 1) << 3 | (layers & 1) << 2 | UInt8(lengthSize - 1))
    let arrays = [32, 33, 34, 39, 40].map { kind in
      (kind, sets: (parameterSets + remarks).filter { Self.kind(of: $0, codec) == kind })
    }.filter { !$0.sets.isEmpty }
    record.append(UInt8(arrays.count))
    for (kind, sets) in arrays {
      record += [0x80 | UInt8(kind), 0, UInt8(sets.count)] + Self.counted(sets)
    }
    return record
  }

  /// A unit without the bytes that keep start codes out of it.
  static func payload(_ unit: [UInt8]) -> [UInt8] {
    var (payload, zeros): ([UInt8], Int) = ([], 0)
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      payload.append(byte)
    }
    return payload
  }
}

extension DecoderConfiguration {
  /// Where the units of a stream lie that are parted by start codes.
  static func units(ofStream bytes: [UInt8]) -> [Range<Int>] {
    var (units, start, place): ([Range<Int>], Int?, Int) = ([], nil, 0)
    func end(_ end: Int) {
      guard let start else { return }
      // Zeros before a start code are the stream's, not the unit's.
      var end = end
      while end > start, bytes[end - 1] == 0 { end -= 1 }
      if end > start { units.append(start..<end) }
    }
    while place + 2 < bytes.count {
      if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
        end(place)
        place += 3
        start = place
      } else {
        place += 1
      }
    }
    end(bytes.count)
    return units
  }

  /// A coded picture from a stream with start codes, in the form that files use: each unit after its four-byte length.
  static func counted(stream bytes: [UInt8]) -> [UInt8] {
    var counted: [UInt8] = []
    counted.reserveCapacity(bytes.count + 16)
    for unit in units(ofStream: bytes) {
      let count = UInt32(unit.count)
      for shift in [24, 16, 8, 0] { counted.append(UInt8(truncatingIfNeeded: count >> shift)) }
      counted += bytes[unit]
    }
    return counted
  }

  /// What a record of a sample entry says; nil for one that is damaged.
  package init?(_ codec: VideoCodecType, record: [UInt8]) {
    var rest = record[...]
    func byte() -> Int? { rest.popFirst().map(Int.init) }
    func sets(_ count: Int) -> [[UInt8]]? {
      var sets: [[UInt8]] = []
      for _ in 0..<count {
        guard let high = byte(), let low = byte(), rest.count >= high << 8 | low else { return nil }
        sets.append(Array(rest.prefix(high << 8 | low)))
        rest = rest.dropFirst(high << 8 | low)
      }
      return sets
    }
    guard record.count > (codec == .h264 ? 6 : 22), record[0] == 1 else { return nil }
    var all: [[UInt8]] = []
    if codec == .h264 {
      rest = rest.dropFirst(5)
      guard let sequences = byte().flatMap({ sets($0 & 0x1F) }), let pictures = byte().flatMap(sets)
      else { return nil }
      all = sequences + pictures
    } else {
      rest = rest.dropFirst(22)
      for _ in 0..<(byte() ?? 0) {
        guard let kind = byte(), let high = byte(), let low = byte(),
          let some = sets(high << 8 | low)
        else { return nil }
        // Other units do not belong there.
        if [32, 33, 34, 39, 40].contains(kind & 0x3F) { all += some }
      }
    }
    let lengthSize = Int(record[codec == .h264 ? 4 : 21] & 3) + 1
    let bitDepth = codec == .h264 ? 8 : Int(record[17] & 7) + 8
    self.init(codec, parameterSets: all, bitDepth: bitDepth, lengthSize: lengthSize)
  }
}
