/// Chooses a quantization index for each slice so that a frame comes out at its target, in one
/// pass.
///
/// A slice's bytes are modelled as `complexity / scale^exponent` (``RateCurve``), or where it has
/// few levels by a curve of its own (``SparseCurve``). Complexities come from the frame before; the
/// first wave of each frame corrects them. Where it shows that the picture is another one, all slices
/// are measured before the frame is encoded (``Survey``). One real scale is solved for the bytes that
/// are left; each slice takes the index below or above it.
/// Each group has a hard limit, so that the sum cannot pass the target. A group that was coarsened
/// to fit its limit, where something new came into the picture, is encoded once more in the wave
/// after, now that its need is known; the bytes of the first try are given back.
struct RateController: ~Copyable {
  /// The size of an encoded slice, without alpha.
  struct SliceSize {
    let bytes: Int
    /// Bytes at the index that it was given, before it was coarsened to fit.
    let needed: Int
    /// Those of luma among them.
    let neededLuma: Int
    let index: Int
    /// True where its levels at that index were many, and nearly all of them ones.
    let isNoise: Bool
  }

  /// The wave's groups.
  var groups: [Int] = []

  /// The index to begin with, for each slice.
  var indices: [UInt8]
  /// Bytes that each slice is expected to take at its index.
  private var expected: [Int32]
  /// Most bytes for each group of slices, alpha left out.
  private var limits: [Int]
  /// Bytes that each group of the wave is expected to need.
  private var demands: [Float]
  let plan: FramePlan
  let budget: Int
  private let leastSlice: Int
  private let mode: ProResEncoder.RateMode
  private let perceptualStrength: Float
  let macroblocks: [Float]
  /// Macroblocks of each group.
  private let areas: [Float]
  var models: [SliceModel]
  var weights: [Float]
  /// Of each group: true where it needs no more bytes in this frame.
  var isPlanned: [Bool]
  /// Groups that wait for their second try, and those that have had it in this frame.
  var waiting: [Int] = []
  private var isRetried: [Bool]
  /// Bytes of first tries that nobody needs any more.
  private var discarded = 0
  var hasHistory = false
  var survey = Survey.notNeeded
  var used = 0
  var curve: RateCurve
  /// What the slices of the frame before needed, and at which index.
  var measured: [(bytes: Float, index: UInt8)]
  /// Of each slice: luma's part of what it needed.
  var lumaParts: [Float]
  /// Of the scales of a survey, the coarsest that did not fit and the finest that did.
  var overflows: Float = 0
  var fits = Float.infinity
  /// Frames since all slices were measured.
  var framesSinceSurvey = 0
  /// How many surveys may follow at once: one more every eight frames. A light that flashes without an
  /// end must not cost what a live recording has not.
  var surveyAllowance = mostSurveys
  static let mostSurveys: Float = 3
  var lastScale: Float {
    didSet { factors = curve.factors(scale: lastScale) }
  }
  var factors: SliceModel.Factors

  /// - Parameters:
  ///   - sizes: What is known of the sizes of frames and slices.
  ///   - profile: Decides how the bytes of sparse slices fall.
  init(
    plan: FramePlan, sizes: FrameSizes, profile: ProResProfile, mode: ProResEncoder.RateMode,
    perceptualStrength: Float
  ) {
    self.plan = plan
    budget = sizes.sliceBudget
    leastSlice = sizes.leastSlice
    self.mode = mode
    curve = RateCurve(profile)
    self.perceptualStrength = perceptualStrength
    indices = [UInt8](repeating: 8, count: plan.slices.count)
    limits = [Int](repeating: 0, count: plan.groups.count)
    expected = [Int32](repeating: 0, count: plan.slices.count)
    demands = [Float](repeating: 0, count: plan.groups.count)
    let macroblocks = plan.slices.map { Float($0.macroblocks) }
    self.macroblocks = macroblocks
    areas = plan.groups.map { macroblocks[$0.slices].reduce(0, +) }
    models = [SliceModel](repeating: SliceModel(), count: plan.slices.count)
    weights = [Float](repeating: 1, count: plan.slices.count)
    isPlanned = [Bool](repeating: false, count: plan.groups.count)
    isRetried = [Bool](repeating: false, count: plan.groups.count)
    groups.reserveCapacity(plan.groups.count)
    waiting.reserveCapacity(plan.groups.count)
    lastScale = 6
    measured = [(bytes: Float, index: UInt8)](repeating: (0, 0), count: plan.slices.count)
    lumaParts = [Float](repeating: 0, count: plan.slices.count)
    factors = curve.factors(scale: 6)
  }

  mutating func begin() {
    forgetFrame()
    framesSinceSurvey = survey == .done ? 0 : framesSinceSurvey + 1
    survey = .notNeeded
    surveyAllowance = min(surveyAllowance + 1 / 8, Self.mostSurveys)
    followCurve()
    if hasHistory { weigh() }
  }

  mutating func forgetFrame() {
    used = 0
    discarded = 0
    waiting.removeAll(keepingCapacity: true)
    for index in isPlanned.indices { isPlanned[index] = false }
    for index in isRetried.indices { isRetried[index] = false }
  }

  mutating func followCurve() {
    guard curve.update() else { return }
    for slice in plan.slices.indices where models[slice].kind == .dense {
      models[slice].complexity *= curve.change(index: Int(measured[slice].index))
    }
    factors = curve.factors(scale: lastScale)
  }

  /// Chooses groups, indices and limits of a wave; false where the frame is complete.
  mutating func prepare(wave: Int) -> Bool {
    groups.removeAll(keepingCapacity: true)
    if wave < plan.waves.count { groups += plan.waves[wave] }
    groups += waiting
    waiting.removeAll(keepingCapacity: true)
    guard !groups.isEmpty else { return false }
    if case .constantQuality(let index) = mode {
      prepareConstantQuality(index)
      return true
    }
    let isLast = wave >= plan.waves.count - 1
    if hasHistory || wave > 0 {
      let scale = solve(bytes: Float(budget - used) * (isLast ? 0.975 : 0.995))
      // Slices behind the last wave get no finer quantizer than the others.
      lastScale = wave < plan.waves.count ? scale : max(scale, lastScale)
    }
    chooseIndices()
    limitGroups(isProbe: wave == 0 && survey == .notNeeded, isLast: isLast)
    return true
  }

  mutating func chooseIndices() {
    for group in groups {
      for slice in plan.groups[group].slices {
        choose(slice, lastScale)
        expected[slice] = Int32(models[slice].bytes(curve.factors[Int(indices[slice])]))
      }
    }
  }

  /// Gives each group of the wave what it is expected to need and a part of what can be spared.
  private mutating func limitGroups(isProbe: Bool, isLast: Bool) {
    // Every slice that is left keeps room for the least it can be.
    var total: Float = 0
    var remaining = 0
    for group in plan.groups.indices where !isPlanned[group] {
      demands[group] = demand(of: group)
      total += demands[group]
      remaining += plan.groups[group].slices.count
    }
    var share: Float = 0
    var area: Float = 0
    for group in groups {
      share += demands[group] / total
      area += areas[group]
    }
    share = min(share, 1)
    let spare = Float(max(budget - used - remaining * leastSlice, 0))
    // The slices after this wave keep at least this part of their share; those of an easy picture keep only
    // what they are expected to need.
    let kept: Float = 0.6
    let most = isLast ? 1 : (1 - kept * (1 - share)) / max(share, 1e-6)
    let needed = hasHistory ? total : spare
    let due = spare * share * min(most, hasHistory ? 1.5 : 2)
    // A probe is held short: it may find another picture.
    let allowance = isProbe ? due : max(due, spare - needed * (1 - share) * 1.5)
    let wanted = min(needed * share * 1.25, allowance)
    for group in groups {
      let ownShare = demands[group] / total
      let limit = wanted * ownShare / max(share, 1e-6) + (allowance - wanted) * areas[group] / area
      // Rounding of the sums must not add up to more than there is.
      limits[group] = plan.groups[group].slices.count * leastSlice + Int(limit * 0.9999)
    }
  }

  /// What a group of the wave may spend, and where its slices begin.
  func budget(of group: Int) -> GroupBudget {
    var budget = GroupBudget(limit: limits[group], leastSlice: leastSlice)
    for slice in plan.groups[group].slices {
      budget.add(
        expected: Int(expected[slice]), macroblocks: plan.slices[slice].macroblocks,
        index: indices[slice])
    }
    return budget
  }

  /// Bytes that a group is expected to need; it is never taken to need nothing.
  func demand(of group: Int) -> Float {
    var sum = areas[group] / 8
    for slice in plan.groups[group].slices {
      sum += models[slice].bytes(factors, weight: weights[slice])
    }
    return sum
  }

  /// Takes in what the slices of a wave needed.
  ///
  /// - Parameter size: What a slice came to.
  mutating func finish(wave: Int, size: (Int) -> SliceSize) {
    var actual: Float = 0
    var predicted: Float = 0
    var difference: Float = 0
    var shift: Float = 0
    let mayRetry = if case .constantQuality = mode { false } else { true }
    for group in groups {
      var groupBytes = 0
      var isCut = false
      for slice in plan.groups[group].slices {
        let size = size(slice)
        groupBytes += size.bytes
        isCut = isCut || size.index != indices[slice]
        let factors = curve.factors[Int(indices[slice])]
        let model = SliceModel(
          bytes: size.needed, at: factors, macroblocks: macroblocks[slice], curve: curve.sparse,
          isNoise: size.isNoise)
        let now = (bytes: Float(size.needed), index: indices[slice])
        if model.kind == .dense {
          curve.learn(from: measured[slice], to: now, macroblocks: macroblocks[slice])
        }
        measured[slice] = now
        // In bytes: the complexities of two kinds of slices do not compare.
        let guess = models[slice].bytes(factors)
        actual += now.bytes
        predicted += guess
        difference += abs(now.bytes - guess)
        let luma = Float(size.neededLuma)
        shift += abs(luma - lumaParts[slice] * now.bytes)
        lumaParts[slice] = luma / now.bytes
        models[slice] = model
      }
      if isCut, mayRetry, !isRetried[group], discarded + groupBytes <= budget {
        isRetried[group] = true
        discarded += groupBytes
        waiting.append(group)
      } else {
        used += groupBytes
        isPlanned[group] = true
      }
    }
    // Measured now, so no longer estimated.
    for group in waiting { isPlanned[group] = true }
    if survey == .notNeeded, wave < Self.probeWaves,
      !hasHistory || max(difference, 2 * shift) > leastCut * actual
    {
      meetCut(size: size, maySurvey: mayRetry && surveyAllowance >= 1)
    } else if predicted > 0 {
      scaleRest(by: actual / predicted)
    }
    for group in waiting { isPlanned[group] = false }
  }

  private mutating func prepareConstantQuality(_ index: Int) {
    for group in groups {
      var macroblocks = 0
      for slice in plan.groups[group].slices {
        indices[slice] = UInt8(index.clamped(to: QuantizationIndex.range))
        macroblocks += plan.slices[slice].macroblocks
      }
      limits[group] = macroblocks * ProResEncoder.largestConstantQualityMacroblock
    }
  }

  /// The real scale at which all slices that are left take `bytes`.
  func solve(bytes: Float) -> Float {
    var sum = BytesByScale(bytes: bytes, curve: curve)
    for group in plan.groups.indices where !isPlanned[group] {
      for slice in plan.groups[group].slices {
        sum.add(models[slice], weight: weights[slice], factors)
      }
    }
    return sum.scale()
  }

  /// Takes the index below or above the scale, so that neighbors average it.
  private mutating func choose(_ slice: Int, _ scale: Float) {
    // weights hold scale^-exponent factors; the scale itself needs the inverse.
    let wanted =
      weights[slice] == 1 ? scale : scale * PortableMath.power(weights[slice], -1 / curve.exponent)
    let dither = Float((slice &* 40503) & 0xFFFF) / 65536
    if models[slice].kind != .dense, wanted < 3 {
      let quantizer = Quantizer.choose(scale: wanted, dither: dither)
      indices[slice] = models[slice].kind == .noise ? quantizer.noise : quantizer.sparse
      return
    }
    let index: Float = wanted <= 128 ? wanted : 128 + (wanted - 128) / 4
    indices[slice] = UInt8(min(max(Int(index + dither), 1), 224))
  }

  private mutating func scaleRest(by factor: Float) {
    guard factor < 0.99 || factor > 1.01 else { return }
    for group in plan.groups.indices where !isPlanned[group] {
      for slice in plan.groups[group].slices { models[slice].complexity *= factor }
    }
  }

  /// Gives busy slices, where the eye sees less, a coarser step, and flat ones a finer.
  private mutating func weigh() {
    guard perceptualStrength > 0 else { return }
    var sum: Float = 0
    var macroblocks: Float = 0
    for slice in plan.slices.indices {
      sum += models[slice].complexity
      macroblocks += Float(plan.slices[slice].macroblocks)
    }
    let average = max(sum / macroblocks, 1)
    for slice in plan.slices.indices {
      let activity = models[slice].complexity / (Float(plan.slices[slice].macroblocks) * average)
      let factor = PortableMath.power(min(max(activity, 0.2), 5), -0.75 * perceptualStrength)
      weights[slice] = factor
    }
  }
}
