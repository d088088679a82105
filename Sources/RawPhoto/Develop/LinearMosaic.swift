/// Linear light of a mosaic: one sample a pixel.
struct LinearMosaic: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]
}
