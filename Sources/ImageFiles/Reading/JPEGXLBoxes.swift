import CJXL

/// The metadata boxes of a JPEG XL file, including compressed ones (`brob`, by Brotli).
struct JPEGXLBoxes {
  /// EXIF as a TIFF file without pixels; nil if none could be read.
  private(set) var exif: [UInt8]?
  /// The XMP packet; nil if none could be read.
  private(set) var xmp: [UInt8]?
  /// Contents of the file that were not read, one line each.
  private(set) var notes: [String] = []

  /// The size limit of a box in bytes, because a compressed box may expand to a thousand times the file's size.
  private static let limit = 1 << 26

  /// Reads a container file, as far as it is complete.
  ///
  /// - Throws: ``ImageFileError/Code/codecFailed``.
  init(_ bytes: [UInt8]) throws(ImageFileError) {
    guard let decoder = JxlDecoderCreate(nil) else { throw .refused("libjxl", "no memory") }
    defer { JxlDecoderDestroy(decoder) }
    guard JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BOX.rawValue)) == JXL_DEC_SUCCESS else {
      throw .refused("libjxl", "it reports no boxes")
    }
    // Fails if libjxl was built without Brotli.
    let inflates = JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
    var found: [Box] = []
    let isRead = bytes.withUnsafeBufferPointer { bytes in
      guard JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count) == JXL_DEC_SUCCESS else {
        return false
      }
      JxlDecoderCloseInput(decoder)
      found = Self.boxes(decoder, inflates: inflates)
      return true
    }
    guard isRead else { throw .refused("libjxl", "it does not accept the file") }
    for box in found { take(box) }
  }

  private struct Box {
    let type: String
    var content: [UInt8] = []
    /// Why the box was not read; nil if it was.
    var obstacle: String?
  }

  private static func boxes(_ decoder: OpaquePointer, inflates: Bool) -> [Box] {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
    defer { memory.deallocate() }
    var found: [Box] = []
    var box: Box?
    /// Takes over the output since the last call.
    func collect() {
      let rest = JxlDecoderReleaseBoxBuffer(decoder)
      box?.content += memory.dropLast(rest)
    }
    func provide() {
      _ = JxlDecoderSetBoxBuffer(decoder, memory.baseAddress, memory.count)
    }
    while true {
      let status = JxlDecoderProcessInput(decoder)
      switch status {
      case JXL_DEC_BOX_NEED_MORE_OUTPUT:
        collect()
        guard let count = box?.content.count, count <= limit else {
          box?.obstacle = "it is larger than \(limit >> 20) MiB; no later box was read"
          box.map { found.append($0) }
          return found
        }
        provide()
      case JXL_DEC_BOX:
        if box != nil { collect() }
        box.map { found.append($0) }
        box = next(decoder, inflates: inflates)
        if let box, box.obstacle == nil { provide() }
      default:
        if box != nil { collect() }
        if var last = box {
          if status != JXL_DEC_SUCCESS, last.obstacle == nil {
            last.obstacle = "libjxl found it damaged or truncated"
          }
          found.append(last)
        }
        return found
      }
    }
  }

  /// The box that begins here; nil unless it is EXIF or XMP.
  private static func next(_ decoder: OpaquePointer, inflates: Bool) -> Box? {
    func type(_ inflated: Bool) -> String {
      var letters: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
      return withUnsafeMutableBytes(of: &letters) { bytes in
        let target = bytes.bindMemory(to: CChar.self).baseAddress
        guard
          JxlDecoderGetBoxType(decoder, target, inflated ? JXL_TRUE : JXL_FALSE)
            == JXL_DEC_SUCCESS
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
    let name = type(true)
    guard name == "Exif" || name == "xml " else { return nil }
    var box = Box(type: name)
    if !inflates, type(false) == "brob" {
      box.obstacle = "it is compressed, and this libjxl was built without Brotli"
    }
    return box
  }

  private mutating func take(_ box: Box) {
    let name = box.type == "Exif" ? "EXIF" : "XMP"
    if let obstacle = box.obstacle {
      notes.append("\(name) is not read: \(obstacle)")
    } else if box.type == "xml " {
      if xmp == nil { xmp = box.content }
    } else if box.content.count > 4, exif == nil {
      // The first four bytes are the offset of the TIFF header.
      let skip = box.content.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      exif = Array(box.content.dropFirst(4).dropFirst(skip))
    }
  }
}
