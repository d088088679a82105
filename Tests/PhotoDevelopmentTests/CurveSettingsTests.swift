import RawDevelop
import Testing

@testable import PhotoDevelopment

/// Curves through points in Camera Raw's XMP.
@Suite struct CurveSettingsTests {
  @Test func only_a_straight_curve_from_black_to_white_is_neutral() {
    func read(_ points: [String]) -> CameraRawSettings {
      var packet = XMPDocument()
      packet.setParts(.cameraRaw, "ToneCurvePV2012", points)
      packet.setParts(.cameraRaw, "ToneCurve", points)
      return CameraRawSettings(packet)
    }
    // Clipped at both ends, or only at the dark end.
    for points in [["64, 64", "192, 192"], ["51, 51", "255, 255"]] {
      let curve = read(points)
      #expect(curve.adjustment.pointCurves?.all.count == 2, "\(points)")
      #expect(curve.unknown == ["ToneCurve (\(points.joined(separator: ", ")))"])
    }
    for points in [["0, 0", "300, 300"], ["255, 255", "0, 0"], ["7, 7"]] {
      let curve = read(points)
      #expect(curve.adjustment.isEmpty && curve.unknown.count == 2, "\(curve.unknown)")
    }
    for points in [["0, 0", "255, 255"], ["0, 0", "9, 9", "255, 255"], ["", " "]] {
      let curve = read(points)
      #expect(curve.adjustment.isEmpty && curve.unknown.isEmpty, "\(curve.unknown)")
    }
  }

  @Test func curve_points_between_codes_are_preserved() throws {
    var adjustment = PhotoAdjustment()
    adjustment.pointCurves = PointCurves()
    adjustment.pointCurves?.all = [
      [0, 0], [0.1, 0.2], [0.101, 0.25], [64.0 / 255, 0.5], [1, 1],
    ]
    let packet = try XMPDocument(Array(adjustment.xmp.utf8))
    let texts = packet.parts(.cameraRaw, "ToneCurvePV2012")
    #expect(texts.first == "0, 0" && texts[3] == "64, 127.5")
    let again = try #require(CameraRawSettings(packet).adjustment.pointCurves)
    #expect(again.all.count == 5)
    for (found, wanted) in zip(again.all, adjustment.pointCurves?.all ?? []) {
      #expect(abs(found.x - wanted.x) < 1e-9 && abs(found.y - wanted.y) < 1e-9)
    }
  }
}
