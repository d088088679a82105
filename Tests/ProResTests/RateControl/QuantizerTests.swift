import Testing

@testable import ProRes

/// The choices below scale 3, and the curve on which they are measured.
@Suite struct QuantizerTests {
  @Test(arguments: [false, true]) func neighboring_indices_average_to_the_wanted_scale(
    isNoise: Bool
  ) {
    for wanted in stride(from: Float(1), to: 3, by: 0.05) {
      let chosen = (0..<1000).map {
        let quantizer = Quantizer.choose(scale: wanted, dither: Float($0) / 1000)
        return isNoise ? quantizer.noise : quantizer.sparse
      }
      let sum = chosen.reduce(Float(0)) { $0 + Quantizer.scale(index: Int($1)) }
      #expect(abs(sum / 1000 - wanted) < 0.01, "\(wanted)")
      #expect(Set(chosen).count <= 2)
    }
  }

  @Test func places_rise_smoothly_with_the_scale() {
    #expect(Quantizer.place(scale: 1) == 0)
    var last: Float = 0
    for step in 1...4000 {
      let place = Quantizer.place(scale: 1 + Float(step) / 1000)
      #expect(place > last)
      #expect(place < last + 0.002)
      last = place
    }
  }

  @Test func noise_places_and_byte_counts_convert_both_ways() {
    var last = NoiseCurve.bytes(at: -1)
    for step in 1...500 {
      let place = -1 + Float(step) / 100
      let bytes = NoiseCurve.bytes(at: place)
      #expect(bytes < last)
      #expect(abs(NoiseCurve.place(bytes: bytes) - place) < 0.001, "\(place)")
      last = bytes
    }
    #expect(NoiseCurve.place(bytes: 0).isFinite)
  }
}
