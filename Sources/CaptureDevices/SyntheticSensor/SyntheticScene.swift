import CRawKernels

/// A scene whose light is known at every point, far brighter in some places than in others: a dark
/// room with a window, colored surfaces, fine rings, and a wedge of sixteen grays a stop apart.
///
/// Light is linear, in the primaries of Rec. 709; 1 is a white surface in the main light. The
/// wedge along the bottom goes from 2^-12 to 2^3.
public struct SyntheticScene: Sendable, Hashable {
  /// Pixels of a sensor that sees the whole scene.
  public var width: Int
  /// Rows of such a sensor.
  public var height: Int
  /// A disc that stands in front of the scene; nil for none.
  public var object: Object?

  /// A disc in front of the scene, which may move from frame to frame.
  public struct Object: Sendable, Hashable {
    /// Its middle, in pixels from the left.
    public var x: Double
    /// Its middle, in pixels from the top.
    public var y: Double
    /// Its radius in pixels.
    public var radius: Double

    /// A disc.
    public init(x: Double, y: Double, radius: Double) {
      self.x = x
      self.y = y
      self.radius = radius
    }
  }

  /// A scene for a sensor of some size.
  public init(width: Int, height: Int, object: Object? = nil) {
    self.width = width
    self.height = height
    self.object = object
  }

  /// The light at a point: red, green, blue.
  public func light(x: Double, y: Double) -> SIMD3<Float> {
    var scene = kernelScene
    var light: (Float, Float, Float) = (0, 0, 0)
    withUnsafeMutableBytes(of: &light) { bytes in
      raw_scene_light(
        &scene, Float(x), Float(y), bytes.baseAddress?.assumingMemoryBound(to: Float.self))
    }
    return SIMD3(light.0, light.1, light.2)
  }

  var kernelScene: raw_scene {
    raw_scene(
      width: Float(width), height: Float(height), object_x: Float(object?.x ?? 0),
      object_y: Float(object?.y ?? 0), object_radius: Float(object?.radius ?? 0))
  }
}
