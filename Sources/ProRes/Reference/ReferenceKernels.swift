import CProResKernels

/// The hot loops in plain Swift: what each kernel must do, bit for bit.
enum ReferenceKernels {
  /// The functions in the form that the encoder calls; made once, never freed.
  nonisolated(unsafe) static let table: UnsafePointer<prores_kernels> = {
    // Unsafe: written here once, before anybody reads it, and never again.
    let table = UnsafeMutablePointer<prores_kernels>.allocate(capacity: 1)
    let name: StaticString = "reference"
    table.initialize(
      to: prores_kernels(
        name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
        load: { picture, area, samples, _ in
          guard let picture, let area, let samples else { return }
          ReferenceLoader(picture: picture.pointee, area: area.pointee).load(into: samples)
        },
        transform: { samples, arrangement, coefficients in
          guard let samples, let coefficients else { return }
          ReferenceTransform.transform(samples, arrangement, into: coefficients)
        },
        transform_words: nil,
        quantize: { components, count, _ in
          for index in 0..<Int(count) {
            guard let component = components?[index], let coefficients = component.coefficients,
              let quantizer = component.quantizer, let dc = component.dc,
              let symbols = component.symbols
            else { continue }
            components?[index].count = ReferenceQuantizer(
              blocks: Int(component.blocks), table: quantizer.pointee
            ).quantize(coefficients, dc: dc, symbols: symbols)
          }
        },
        code: { components, count, bytes, _ in
          guard let bytes else { return 0 }
          var size = 0
          for index in 0..<Int(count) {
            guard let component = components?[index] else { continue }
            let coded = ReferenceCoder.code(
              dc: UnsafeBufferPointer(start: component.dc, count: Int(component.blocks)),
              symbols: UnsafeBufferPointer(start: component.symbols, count: component.count),
              into: bytes + size)
            components?[index].bytes = coded
            size += coded
          }
          return size
        }))
    return UnsafePointer(table)
  }()
}
