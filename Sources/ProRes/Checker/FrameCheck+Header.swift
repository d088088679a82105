import MediaCore

extension FrameCheck {
  /// Field rules of the frame header (RDD 36, 6.1.1).
  mutating func checkHeader(_ header: FrameHeader) {
    checkSizes(header)
    checkVersion(header)
    checkReservedValues(header)
    checkMatrices(header)
  }

  private mutating func checkSizes(_ header: FrameHeader) {
    let needed = header.encodedSize - 8
    if header.declaredHeaderSize != needed {
      report(
        .headerSize, "frame_header_size is \(header.declaredHeaderSize), its fields take \(needed)")
    }
    if header.width == 0 || header.height == 0 {
      report(.dimensions, "the frame is \(header.width)x\(header.height)")
    }
  }

  private mutating func checkVersion(_ header: FrameHeader) {
    let needed = header.chromaFormatCode == 3 || header.alphaCode != 0 ? 1 : 0
    if header.bitstreamVersion > 1 {
      report(.bitstreamVersion, "bitstream_version \(header.bitstreamVersion) is unknown")
    } else if header.bitstreamVersion < needed {
      report(.bitstreamVersion, "bitstream_version is 0; 4:4:4 and alpha need 1")
    } else if header.bitstreamVersion > needed {
      report(
        .bitstreamVersion, "bitstream_version is 1; 4:2:2 without alpha needs 0",
        severity: .warning)
    }
  }

  private mutating func checkReservedValues(_ header: FrameHeader) {
    if header.hasReservedBits { report(.reservedBits, "a reserved bit of the header is set") }
    let codes: [(String, UInt8, Bool)] = [
      ("chroma_format", header.chromaFormatCode, header.chromaFormat != nil),
      ("interlace_mode", header.interlaceModeCode, header.interlaceMode != nil),
      ("aspect_ratio_information", header.aspectRatioCode, header.aspectRatio != nil),
      ("frame_rate_code", header.frameRateCode, header.frameRateCode <= 11),
      ("alpha_channel_type", header.alphaCode, header.alpha != nil),
    ]
    for (name, value, isDefined) in codes where !isDefined {
      report(.reservedValue, "\(name) \(value) is reserved")
    }
    let colors: [(String, UInt8, [UInt8])] = [
      ("color_primaries", header.colorPrimaries, [0, 1, 2, 5, 6, 9, 11, 12]),
      ("transfer_characteristic", header.transferFunction, [0, 1, 2, 16, 18]),
      ("matrix_coefficients", header.matrixCoefficients, [0, 1, 2, 6, 9]),
    ]
    for (name, value, defined) in colors where !defined.contains(value) {
      report(.reservedValue, "\(name) \(value) is not defined in RDD 36", severity: .warning)
    }
  }

  private mutating func checkMatrices(_ header: FrameHeader) {
    for (name, matrix) in [("luma", header.lumaMatrix), ("chroma", header.chromaMatrix)] {
      if let matrix, !matrix.isValid {
        report(.matrixWeight, "a \(name) weight is outside 2...63")
      }
    }
  }

  /// Compares the colors with those of the container. For a code that frame headers don't have, the
  /// header may have its equivalent, or none.
  private mutating func compareColor(_ header: FrameHeader, _ expected: ColorDescription?) {
    guard let expected else { return }
    let coded = expected.frameHeaderColor
    let parts: [(String, UInt8, UInt8, UInt8)] = [
      (
        "color_primaries", header.colorPrimaries, expected.primaries.rawValue,
        coded.primaries.rawValue
      ),
      (
        "transfer_characteristic", header.transferFunction, expected.transferFunction.rawValue,
        coded.transferFunction.rawValue
      ),
      (
        "matrix_coefficients", header.matrixCoefficients, expected.matrix.rawValue,
        coded.matrix.rawValue
      ),
    ]
    for (name, found, wanted, code) in parts where found != wanted && found != code {
      report(.unexpectedColor, "\(name) is \(found), expected \(code)")
    }
  }

  /// Compares the header with what a container or a configuration says.
  mutating func check(_ header: FrameHeader, against expected: FrameExpectation) {
    func compare<Value: Equatable>(
      _ name: String, _ found: Value, _ wanted: Value?,
      code: FrameFinding.Code = .unexpectedValue
    ) {
      guard let wanted, found != wanted else { return }
      report(code, "\(name) is \(found), expected \(wanted)")
    }
    compare("width", header.width, expected.width)
    compare("height", header.height, expected.height)
    if let profile = expected.codec.flatMap(ProResProfile.init) {
      compare("chroma_format", header.chromaFormatCode, profile.chromaFormat.rawValue)
    }
    compare("interlace_mode", header.interlaceModeCode, expected.fieldOrder?.rawValue)
    compareColor(header, expected.color)
    if header.frameRateCode != 0, let rate = expected.frameRate {
      compare("frame_rate_code", header.frameRateCode, FrameHeader.code(for: rate))
    }
  }
}
