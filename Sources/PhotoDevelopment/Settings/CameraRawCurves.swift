import RawDevelop

/// Camera Raw's point curves in XMP.
enum CameraRawCurves {
  private typealias Path = any WritableKeyPath<PointCurves, [PointCurves.Point]> & Sendable

  private static let curves: [(name: String, path: Path)] = [
    ("ToneCurvePV2012", \.all), ("ToneCurvePV2012Red", \.red), ("ToneCurvePV2012Green", \.green),
    ("ToneCurvePV2012Blue", \.blue),
  ]

  /// The names of the properties that are read.
  static var names: [String] { curves.map(\.name) }

  /// The curves; nil if none of them changes anything. Unusable ones are added to `unknown`.
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

  /// The points of a curve; nil if they form none.
  private static func points(_ parts: [String]) -> [PointCurves.Point]? {
    let points = parts.compactMap(point)
    return points.count == parts.count && PointCurves.areUsable(points) ? points : nil
  }

  /// True for a curve that changes nothing, and for an empty one. Beyond its ends a curve keeps its end values, so
  /// one that does not extend from black to white does change something.
  static func isStraight(_ parts: [String]) -> Bool {
    let parts = parts.filter { !$0.allSatisfy(\.isWhitespace) }
    guard !parts.isEmpty else { return true }
    var curve = PointCurves()
    guard let points = points(parts) else { return false }
    curve.all = points
    return curve.isStraight
  }

  /// Parses a point such as `64, 51`, in units of 1/255.
  private static func point(_ text: String) -> PointCurves.Point? {
    let numbers = text.split(separator: ",").compactMap { part in
      CameraRawSettings.number(String(part.filter { !$0.isWhitespace }))
    }
    return numbers.count == 2 ? PointCurves.Point(numbers[0], numbers[1]) / 255 : nil
  }

  /// Sets a packet's curves; an empty one becomes a straight line, as Camera Raw writes it. It does not
  /// replace an unusable curve, which other programs may understand.
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

  /// A number in units of 1/255; integers are written as such, other numbers with their fraction, to keep neighbors
  /// apart.
  private static func code(_ number: Double) -> String {
    let code = number * 255
    return abs(code - code.rounded()) < 1e-9 ? String(Int(code.rounded())) : "\(code)"
  }
}
