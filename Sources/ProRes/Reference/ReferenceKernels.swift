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
        quantize: { coefficients, blocks, quantizer, dc, symbols, _ in
          guard let coefficients, let quantizer, let dc, let symbols else { return 0 }
          return ReferenceQuantizer(blocks: Int(blocks), table: quantizer.pointee)
            .quantize(coefficients, dc: dc, symbols: symbols)
        },
        code: { dc, blocks, symbols, count, bytes, _ in
          guard let dc, let symbols, let bytes else { return 0 }
          return ReferenceCoder.code(
            dc: UnsafeBufferPointer(start: dc, count: Int(blocks)),
            symbols: UnsafeBufferPointer(start: symbols, count: count), into: bytes)
        }))
    return UnsafePointer(table)
  }()
}
