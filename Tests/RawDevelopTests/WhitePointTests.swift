import DNG
import Foundation
import TestSupport
import Testing

@testable import RawDevelop

struct WhitePointTests {
  /// The CIE's daylights have about the temperatures in their names, and lie on the green side of black bodies.
  @Test func daylight_has_its_temperature() {
    let lights = [
      (WhitePoint(x: 0.3127, y: 0.3290), 6504.0), (WhitePoint(x: 0.3457, y: 0.3585), 5003.0),
      (WhitePoint(x: 0.4476, y: 0.4074), 2856.0),
    ]
    for (white, kelvins) in lights {
      #expect(abs(white.temperature / kelvins - 1) < 0.005)
    }
    #expect(WhitePoint(x: 0.3127, y: 0.3290).tint > 5)
    #expect(abs(WhitePoint(x: 0.4476, y: 0.4074).tint) < 1)
  }

  @Test func temperature_and_tint_convert_both_ways() {
    for temperature in [2000.0, 2850, 4000, 5500, 6500, 9000, 15_000, 50_000] {
      for tint in [-150.0, -20, 0, 35, 150] {
        let (found, foundTint) = WhitePoint(temperature: temperature, tint: tint)
          .temperatureAndTint
        #expect(abs(found / temperature - 1) < 0.01, "\(temperature) K, tint \(tint)")
        #expect(abs(foundTint - tint) < 1.5, "\(temperature) K, tint \(tint)")
      }
    }
  }

  @Test func a_neutral_converts_to_its_white_and_back() throws {
    let negative = try Negative(try DNGFile(try ExampleNegative().bytes()))
    let color = try CameraColor(negative.metadata.profiles[0], negative.metadata)
    for neutral in [[0.52, 1, 0.66], [0.4, 1, 0.9], [0.9, 1, 0.35]] {
      let white = try #require(color.white(forNeutral: neutral))
      let seen = try color.balance(for: white).cameraWhite
      let greatest = neutral.max() ?? 1
      for (a, b) in zip(seen, neutral) { #expect(abs(a - b / greatest) < 1e-4) }
    }
  }
}
