import CProResKernels

/// The decoder's hot loops in plain Swift: what each kernel must do, bit for bit.
enum ReferenceDecoderKernels {
  /// The functions in the form that the decoder calls; made once, never freed.
  nonisolated(unsafe) static let table: UnsafePointer<prores_decoder_kernels> = {
    // Unsafe: written here once, before anybody reads it, and never again.
    let table = UnsafeMutablePointer<prores_decoder_kernels>.allocate(capacity: 1)
    let name: StaticString = "reference"
    table.initialize(
      to: prores_decoder_kernels(
        name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
        read: { components, count in
          guard let components else { return }
          for index in 0..<count { read(&components[index]) }
        },
        inverse: { inversion in
          guard let inversion else { return }
          ReferenceInverse(inversion.pointee).run()
        }))
    return UnsafePointer(table)
  }()

  /// The order of the bitstream: no scan.
  private static let order = (0..<64).map { UInt8($0) }

  private static func read(_ component: inout prores_coded) {
    let blocks = Int(component.blocks)
    var coefficients = [Int32](repeating: 0, count: blocks * 64)
    var reader = BitReader()
    let bytes = UnsafeRawBufferPointer(start: component.bytes, count: component.size)
    reader.open(bytes.bytes, 0..<bytes.count)
    component.last = 0
    do {
      component.padding = Int64(
        try ComponentDecoder.decode(&reader, blocks: blocks, scan: order, into: &coefficients))
    } catch {
      component.padding = -1
      return
    }
    for index in 0..<64 {
      for block in 0..<blocks where coefficients[block * 64 + index] != 0 {
        component.last = Int32(index)
        component.levels?[index * blocks + block] = Int16(
          truncatingIfNeeded: coefficients[block * 64 + index])
      }
    }
  }
}
