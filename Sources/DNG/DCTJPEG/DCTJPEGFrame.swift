import MediaCore

/// The frame header of sequential DCT JPEG (ITU-T T.81, B.2.2).
struct DCTJPEGFrame {
  /// A component of the frame.
  struct Component {
    var identifier: UInt8
    /// The selector of its quantization table.
    var quantization: Int
  }

  let precision: Int
  let rows: Int
  let columns: Int
  let components: [Component]

  /// Samples in all components.
  var sampleCount: Int { rows * columns * components.count }

  ///
  /// - Throws: ``DNGError/Code/unsupported`` for another process, precision or sampling,
  ///   ``DNGError/Code/invalidFile`` for damaged data.
  init(_ segment: JPEGSegments.Segment, of segments: JPEGSegments) throws(DNGError) {
    guard segment.marker <= 0xC1 else { throw Self.refusal(of: Int(segment.marker) - 0xC0) }
    let start = segment.content.lowerBound
    guard segment.content.count >= 6 else { throw segments.damaged("its frame header") }
    precision = try segments.byte(start)
    rows = try segments.word(start + 1)
    columns = try segments.word(start + 3)
    let count = try segments.byte(start + 5)
    guard precision == 8 || precision == 12 else {
      throw DNGError(.unsupported, "DCT JPEG with samples of \(precision) bits is not read")
    }
    guard rows > 0 else {
      throw DNGError(.unsupported, "DCT JPEG that states its rows after the scan is not read")
    }
    guard columns > 0, (1...4).contains(count), segment.content.count >= 6 + 3 * count else {
      throw segments.damaged("its frame header")
    }
    var components: [Component] = []
    for place in stride(from: start + 6, to: start + 6 + 3 * count, by: 3) {
      let sampling = try segments.byte(place + 1)
      // The sampling factors of a single component have no effect (A.2.2).
      guard sampling == 0x11 || count == 1 else {
        throw DNGError(.unsupported, "DCT JPEG with subsampling is not read")
      }
      let component = Component(
        identifier: UInt8(try segments.byte(place)),
        quantization: try segments.byte(place + 2))
      guard component.quantization < 4,
        !components.contains(where: { $0.identifier == component.identifier })
      else { throw segments.damaged("its frame header") }
      components.append(component)
    }
    self.components = components
  }

  private static func refusal(of process: Int) -> DNGError {
    let name =
      switch process {
      case 2: "progressive"
      case 3: "lossless"
      case 5...7: "hierarchical"
      case 8: "of the reserved process 8"
      default: "arithmetic-coded"
      }
    return DNGError(.unsupported, "JPEG that is \(name) is not read as sequential DCT JPEG")
  }
}
