package import MediaCore

/// A value that can be interpolated.
package protocol Interpolated: Sendable, Hashable {
  /// The value at a fraction of the way to another one, from 0 to 1.
  func toward(_ other: Self, _ part: Double) -> Self
}

/// A value that changes over time, in steps and linear ramps.
package struct Ramp<Value: Interpolated>: Sendable, Hashable {
  private struct Stretch: Sendable, Hashable {
    var range: MediaTimeRange
    var first: Value
    var last: Value
  }

  private let initial: Value
  /// In order of their start.
  private var stretches: [Stretch] = []

  /// Creates a constant value.
  package init(_ value: Value) { initial = value }

  /// Sets the value from a time on.
  package mutating func set(_ value: Value, at time: MediaTime) {
    lead(from: value, to: value, over: MediaTimeRange(start: time, duration: .zero))
  }

  /// Changes from one value to another over a range, after which the last one stays.
  package mutating func lead(from first: Value, to last: Value, over range: MediaTimeRange) {
    guard range.start.isNumeric, range.duration.isNumeric else { return }
    let place = stretches.firstIndex { $0.range.start > range.start } ?? stretches.count
    stretches.insert(Stretch(range: range, first: first, last: last), at: place)
  }

  /// The value at a time. The stretch that begins last counts.
  package func value(at time: MediaTime) -> Value {
    guard let stretch = stretches.last(where: { $0.range.start <= time }) else { return initial }
    guard stretch.range.contains(time) else { return stretch.last }
    let part = (time - stretch.range.start).seconds / stretch.range.duration.seconds
    return stretch.first.toward(stretch.last, part)
  }

  /// All values between which others are interpolated.
  var ends: [Value] { [initial] + stretches.flatMap { [$0.first, $0.last] } }

  /// The same ramp for a timeline that begins at a time of this one.
  package func from(_ start: MediaTime) -> Ramp {
    var moved = self
    for index in stretches.indices {
      moved.stretches[index].range.start = stretches[index].range.start - start
    }
    return moved
  }
}

extension Double: Interpolated {
  package func toward(_ other: Double, _ part: Double) -> Double { self + (other - self) * part }
}

extension PlaneTransform: Interpolated {
  package func toward(_ other: PlaneTransform, _ part: Double) -> PlaneTransform {
    PlaneTransform(
      a: a.toward(other.a, part), b: b.toward(other.b, part), c: c.toward(other.c, part),
      d: d.toward(other.d, part), tx: tx.toward(other.tx, part), ty: ty.toward(other.ty, part))
  }
}

extension PlaneArea: Interpolated {
  package func toward(_ other: PlaneArea, _ part: Double) -> PlaneArea {
    // There is no interpolation from or to the whole plane.
    guard self != .infinite, other != .infinite else { return self }
    return PlaneArea(
      left: left.toward(other.left, part), top: top.toward(other.top, part),
      right: right.toward(other.right, part), bottom: bottom.toward(other.bottom, part))
  }
}
