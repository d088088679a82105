/// The linear light of a mosaic: one sample per pixel.
struct LinearMosaic: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]
}
