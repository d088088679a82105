/// A 3 x 3 matrix, row by row.
package struct Matrix3: Hashable, Sendable {
  package var elements: [Double]

  /// A matrix of nine finite numbers.
  package init?(_ elements: [Double]) {
    guard elements.count == 9, elements.allSatisfy(\.isFinite) else { return nil }
    self.elements = elements
  }

  private init(unchecked elements: [Double]) { self.elements = elements }

  package static let identity = Matrix3(unchecked: [1, 0, 0, 0, 1, 0, 0, 0, 1])
  /// XYZ under D50 to linear Rec. 709, adapted by Bradford's transform.
  package static let xyzD50ToRec709 = Matrix3(unchecked: [
    3.1338561, -1.6168667, -0.4906146, -0.9787684, 1.9161415, 0.0334540, 0.0719453, -0.2289914,
    1.4052427,
  ])

  package static func diagonal(_ a: Double, _ b: Double, _ c: Double) -> Matrix3 {
    Matrix3(unchecked: [a, 0, 0, 0, b, 0, 0, 0, c])
  }

  /// The elements in the form that the C kernels take.
  package var floats: (Float, Float, Float, Float, Float, Float, Float, Float, Float) {
    let e = elements.map { Float($0) }
    return (e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7], e[8])
  }

  package subscript(row: Int, column: Int) -> Double { elements[row * 3 + column] }

  package static func * (lhs: Matrix3, rhs: Matrix3) -> Matrix3 {
    Matrix3(
      unchecked: (0..<9).map { index in
        let (row, column) = (index / 3, index % 3)
        return lhs[row, 0] * rhs[0, column] + lhs[row, 1] * rhs[1, column]
          + lhs[row, 2] * rhs[2, column]
      })
  }

  package static func * (lhs: Matrix3, rhs: [Double]) -> [Double] {
    (0..<3).map { lhs[$0, 0] * rhs[0] + lhs[$0, 1] * rhs[1] + lhs[$0, 2] * rhs[2] }
  }

  /// The inverse; nil if the matrix is singular.
  package var inverse: Matrix3? {
    let m = elements
    let cofactors = [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ]
    let determinant = m[0] * cofactors[0] + m[1] * cofactors[3] + m[2] * cofactors[6]
    guard abs(determinant) > 1e-12 else { return nil }
    return Matrix3(unchecked: cofactors.map { $0 / determinant })
  }
}
