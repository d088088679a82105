import RawDevelop

/// Camera Raw's curves through points in XMP.
enum CameraRawCurves {
  private typealias Path = any WritableKeyPath<PointCurves, [PointCurves.Point]> & Sendable

  private static let curves: [(name: String, path: Path)] = [
    ("ToneCurvePV2012", \.all), ("ToneCurvePV2012Red", \.red), ("ToneCurvePV2012Green", \.green),
    ("ToneCurvePV2012Blue", \.blue),
  ]

  /// The properties that are read.
  static var names: [String] { curves.map(\.name) }

  /// The curves; nil where none of them changes anything. One that cannot be used is named.
  static func read(_ packet: XMPDocument, _ unknown: inout [String]) -> PointCurves? {
    var result = PointCurves()
    for (name, path) in curves {
      let parts = parts(of: name, in: packet)
      guard !isStraight(parts) else { continue }
      if let points = points(parts) {
        result[keyPath: path] = points
      } else {
        unknown.append("\(name) = \(parts.joined(separator: "; "))")
      }
    }
    return result.isStraight ? nil : result
  }

  private static func parts(of name: String, in packet: XMPDocument) -> [String] {
    packet.parts(.cameraRaw, name).filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// The points of a curve; nil for parts that make none.
  private static func points(_ parts: [String]) -> [PointCurves.Point]? {
    let points = parts.compactMap(point)
    return points.count == parts.count && PointCurves.areUsable(points) ? points : nil
  }

  /// True for a curve that changes nothing, and for one that is empty. Beyond its ends a curve stays at their
  /// outputs: one that does not reach from black to white changes something.
  static func isStraight(_ parts: [String]) -> Bool {
    let parts = parts.filter { !$0.allSatisfy(\.isWhitespace) }
    guard !parts.isEmpty else { return true }
    var curve = PointCurves()
    guard let points = points(parts) else { return false }
    curve.all = points
    return curve.isStraight
  }

  /// `64, 51` of 255.
  private static func point(_ text: String) -> PointCurves.Point? {
    let numbers = text.split(separator: ",").compactMap { part in
      CameraRawSettings.number(String(part.filter { !$0.isWhitespace }))
    }
    return numbers.count == 2 ? PointCurves.Point(numbers[0], numbers[1]) / 255 : nil
  }

  /// Puts curves into a packet; one that is empty is a straight line, as Camera Raw writes it. In the place of
  /// one that cannot be used none is written: it was left out, and stays for those who understand it.
  static func write(_ curves: PointCurves, to packet: inout XMPDocument, keepsUnusable: Bool) {
    for (name, path) in Self.curves {
      let points = curves[keyPath: path]
      let present = parts(of: name, in: packet)
      guard !points.isEmpty || isStraight(present) || Self.points(present) != nil || !keepsUnusable
      else { continue }
      let texts = (points.isEmpty ? [[0, 0], [1, 1]] : points).map { point in
        "\(code(point.x)), \(code(point.y))"
      }
      packet.setParts(.cameraRaw, name, texts)
    }
    packet[.cameraRaw, "ToneCurveName2012"] = "Custom"
  }

  /// A number of 255, whole unless the curve's own is none: neighbors would fall together.
  private static func code(_ number: Double) -> String {
    let code = number * 255
    return abs(code - code.rounded()) < 1e-9 ? String(Int(code.rounded())) : "\(code)"
  }
}
