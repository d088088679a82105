extension RateController {
  /// The survey of a picture that is unlike the one before: every slice is coded at about the scale that the frame
  /// will have, to learn its needs, and then the frame is encoded with those as its
  /// history.
  enum Survey: Equatable {
    /// The picture is like the one before.
    case notNeeded
    /// Slices are to be measured.
    case due(pass: Int)
    /// The frame can be encoded.
    case done
  }

  /// Of the bytes of the probe, the least that other bytes than expected are taken for a cut. What
  /// changes with every frame, as text that scrolls, is not to be measured with every frame.
  var leastCut: Float { framesSinceSurvey < 6 ? 0.4 : 0.15 }
  private static let mostPasses = 3
  /// The scale of a survey is near enough where that of the frame is at most so much away.
  private static let nearEnough: Float = 1.1

  /// Waves in which a cut is looked for.
  static let probeWaves = 2

  /// Takes the slices that have been encoded for samples of a picture that is not like the one
  /// before, and has it measured where that may be.
  mutating func meetCut(size: (Int) -> SliceSize, maySurvey: Bool) {
    hasHistory = true
    guard maySurvey else { return spreadProbe() }
    surveyAllowance -= 1
    // Sizes from before the cut do not predict the new shot.
    curve.reset()
    for group in plan.groups.indices {
      for slice in plan.groups[group].slices {
        if !isPlanned[group] {
          measured[slice].bytes = 0
        } else if models[slice].kind == .dense {
          models[slice].complexity *= curve.change(index: Int(measured[slice].index))
        }
      }
    }
    factors = curve.factors(scale: lastScale)
    spreadProbe()
    settleProbe(size: size)
    spreadProbe()
    forgetFrame()
    lastScale = solve(bytes: Float(budget))
    survey = .due(pass: 1)
    (overflows, fits) = (0, .infinity)
  }

  /// After a cut: each slice is taken to be like the nearest one above it that the probe has
  /// measured.
  private mutating func spreadProbe() {
    var known: [Int: Float] = [:]
    var sum: Float = 0
    var count: Float = 0
    for group in plan.groups.indices where isPlanned[group] {
      for slice in plan.groups[group].slices {
        sum += models[slice].complexity / macroblocks[slice]
        count += 1
      }
    }
    let average = sum / max(count, 1)
    for group in plan.groups.indices {
      for slice in plan.groups[group].slices {
        let column = plan.slices[slice].column
        if isPlanned[group] {
          known[column] = models[slice].complexity / macroblocks[slice]
        } else {
          let near = known[column] ?? average
          models[slice] = SliceModel(
            complexity: (near + average) / 2 * macroblocks[slice], macroblocks: macroblocks[slice],
            curve: curve.sparse)
        }
      }
    }
    for index in weights.indices { weights[index] = 1 }
  }

  /// Takes slices of the probe that were coarsened to be like what they came to, where that is nearer
  /// to the scale of the frame than the index they began with: bytes of strong noise fall more slowly
  /// with the scale than others do, and all of the frame would be planned too fine.
  private mutating func settleProbe(size: (Int) -> SliceSize) {
    var needed: Float = 0
    var bytes: Float = 0
    var steps: Float = 0
    for group in groups {
      for slice in plan.groups[group].slices where size(slice).index != Int(indices[slice]) {
        let size = size(slice)
        needed += Float(size.needed)
        bytes += Float(size.bytes)
        steps +=
          Float(size.needed)
          * PortableMath.logarithm(Self.ratio(from: indices[slice], to: size.index))
      }
    }
    guard steps > 0, bytes > 0 else { return }
    var total: Float = 0
    for group in plan.groups.indices where !isPlanned[group] { total += demand(of: group) }
    // The power with which these slices' bytes fell, and the scale to which it leads.
    let exponent = min(max(PortableMath.logarithm(needed / bytes) * needed / steps, 0.2), 1.5)
    let step = PortableMath.power(max(total / Float(max(budget - used, 1)), 1), 1 / exponent)
    for group in groups {
      for slice in plan.groups[group].slices {
        let size = size(slice)
        let ratio = Self.ratio(from: indices[slice], to: size.index)
        guard ratio > 1, ratio < step * step, size.index != QuantizationIndex.range.upperBound
        else {
          continue
        }
        models[slice] = SliceModel(
          bytes: size.bytes, at: curve.factors[size.index], macroblocks: macroblocks[slice],
          curve: curve.sparse, isNoise: false)
      }
    }
  }

  private static func ratio(from first: UInt8, to last: Int) -> Float {
    Quantizer.scale(index: last) / Quantizer.scale(index: Int(first))
  }

  /// Chooses the indices to measure at; false where no measurement is due.
  mutating func prepareSurvey() -> Bool {
    guard case .due = survey else { return false }
    groups.removeAll(keepingCapacity: true)
    groups += plan.groups.indices
    chooseIndices()
    return true
  }

  /// The index to measure a slice at.
  func index(of slice: Int) -> Int { Int(indices[slice]) }

  /// Takes in what all slices needed.
  mutating func finishSurvey(size: (Int) -> SliceSize) {
    guard case .due(let pass) = survey else { return }
    var total = 0
    for slice in plan.slices.indices {
      let size = size(slice)
      let index = indices[slice]
      total += size.needed
      let model = SliceModel(
        bytes: size.needed, at: curve.factors[Int(index)], macroblocks: macroblocks[slice],
        curve: curve.sparse, isNoise: size.isNoise)
      let now = (bytes: Float(size.needed), index: index)
      if model.kind == .dense {
        curve.learn(from: measured[slice], to: now, macroblocks: macroblocks[slice])
      }
      measured[slice] = now
      lumaParts[slice] = Float(size.neededLuma) / now.bytes
      models[slice] = model
    }
    followCurve()
    // What fits need not be coarser, whatever the models say, and what does not fit no finer.
    if total <= budget {
      fits = min(fits, lastScale)
    } else {
      overflows = max(overflows, lastScale)
    }
    var scale = solve(bytes: Float(budget)).clamped(to: overflows...max(fits, overflows))
    if scale <= overflows, fits < .infinity { scale = (overflows * fits).squareRoot() }
    scale = min(scale, max(4 * lastScale, 16))
    let step = max(scale / lastScale, lastScale / scale)
    lastScale = scale
    survey = pass < Self.mostPasses && step > Self.nearEnough ? .due(pass: pass + 1) : .done
  }
}
